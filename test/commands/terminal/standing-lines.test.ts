/** What an operator reads of damaged and retracted snapshots, and which snapshot a command marks. */
import { describe, expect, it } from 'vitest';
import { markedSnapshot } from '../../../src/commands/terminal/latest-snapshot.ts';
import type { Marking } from '../../../src/commands/terminal/marking.ts';
import {
  NO_STANDING,
  standingAsJson,
  standingLines,
} from '../../../src/commands/terminal/newest-snapshots.ts';
import { printList } from '../../../src/commands/terminal/print-list.ts';
import type { PendingBuild } from '../../../src/next-step.ts';
import { CLOCK, IDENTITY } from '../../../src/run/machine.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { aBuild, publishNow } from '../../snapshot/builder/build-harness.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { instantOf } from '../../support/instant-of.ts';

const AT = instantOf('2026-07-15T02:31:00.000000Z');
const RETRACTED = {
  snapshot_id: '20260715T020000Z',
  at: AT,
  by: 'ada',
  reason: 'Loaded twice',
  replaced_by: null,
} as const;
const PENDING: PendingBuild = {
  account_id: 7n,
  state: 'queued',
  at: AT,
  tries: 1,
  max_tries: 6,
  untaken: false,
};
const damaged = (snapshot_id: string, files: readonly string[], missing: readonly string[] = []) => ({
  snapshot_id,
  files,
  missing,
});

describe('the lines about the snapshots of an account', () => {
  it('are none where all is well', () => {
    expect(standingLines(7n, NO_STANDING, PENDING)).toEqual([]);
    expect(standingAsJson(NO_STANDING)).toEqual({ damaged_snapshots: [], retracted_newest: null });
  });

  it('say of a retracted newest snapshot since when, why, what to read instead, and what helps', () => {
    const standing = { ...NO_STANDING, retracted_newest: RETRACTED, newest_fault: 'retracted' } as const;
    const line =
      'newest snapshot 20260715T020000Z RETRACTED since 2026-07-15 02:31 UTC: Loaded twice. It is still served as the newest, marked as retracted.';
    const help = 'Correct the ledger, then build a new one: npx --no crossfoot enqueue --account 7';
    expect(standingLines(7n, standing, null)).toEqual([`${line} ${help}`]);
    const replaced = { ...RETRACTED, replaced_by: '20260714T020000Z' };
    expect(standingLines(7n, { ...standing, retracted_newest: replaced }, PENDING)).toEqual([
      `${line} Its retraction names 20260714T020000Z to read instead. A build is queued for 2026-07-15 02:31 UTC, try 1 of 6; look again then: npx --no crossfoot why --account 7`,
    ]);
    expect(standingAsJson(standing)).toEqual({
      damaged_snapshots: [],
      retracted_newest: { ...RETRACTED, at: '2026-07-15T02:31:00.000000Z' },
    });
  });

  it('say of each damaged snapshot what is damaged or missing, and how to restore an older one', () => {
    const damaged_snapshots = [
      damaged('20260715T020000Z', ['costs.parquet', 'audit.json'], ['audit.json']),
      damaged('20260714T020000Z', ['costs.parquet'], ['costs.parquet']),
    ];
    const newest = 'newest snapshot 20260715T020000Z DAMAGED costs.parquet; MISSING audit.json. ';
    const older =
      '20260714T020000Z MISSING costs.parquet: restore from a copy, then run npx --no crossfoot scrub --account 7';
    const standing = { ...NO_STANDING, damaged_snapshots, newest_fault: 'damaged' } as const;
    expect(standingLines(7n, standing, null)).toEqual([
      `${newest}Build a new one: npx --no crossfoot enqueue --account 7. Or restore the files from a copy, then run npx --no crossfoot scrub --account 7`,
      older,
    ]);
    // The newest snapshot is whole: the first of the list is an older one, too.
    expect(
      standingLines(
        7n,
        { ...standing, damaged_snapshots: damaged_snapshots.slice(1), newest_fault: null },
        null,
      ),
    ).toEqual([older]);
  });
});

describe('the snapshot that a command marks', () => {
  const MINUTE = 60_000_000n;
  /** An account with snapshots that were published so many minutes ago, and the tools to mark them. */
  async function published(...minutes: readonly bigint[]) {
    const store = memoryStore(new Map());
    const now = CLOCK.now();
    const ids: string[] = [];
    for (const each of minutes) {
      const moment = now - each * MINUTE;
      await publishNow(store, { ...aBuild(`n${each}`, moment), account_id: 7n });
      ids.push(snapshotIdOf(moment));
    }
    const tools = { store, clock: CLOCK, newNonce: IDENTITY.newNonce };
    const marking = (later: bigint): Marking => ({ tools, by: 'ada', now: now + later * MINUTE });
    return { ids, marking };
  }

  it('is the one of an id, without a look into the store', async () => {
    const { marking } = await published();
    expect(await markedSnapshot('20200101T000000Z', 7n, 'pin', marking(0n))).toBe('20200101T000000Z');
  });

  it('is the newest for latest, also a young snapshot without an older one', async () => {
    const { ids, marking } = await published(1n);
    expect(await markedSnapshot('latest', 7n, 'retract', marking(0n))).toBe(ids[0]);
    const none = await published();
    await expect(markedSnapshot('latest', 7n, 'pin', none.marking(0n))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Account 7 has published no snapshot.',
      hint: 'npx --no crossfoot build --account 7 publishes one.',
    });
  });

  it('is not latest within an hour of its publishing, while an older one is there: the command names the id', async () => {
    const { ids, marking } = await published(1_440n, 30n);
    await expect(markedSnapshot('latest', 7n, 'retract', marking(0n), "--reason 'No'")).rejects.toMatchObject(
      {
        code: 'usage_invalid',
        message: expect.stringMatching(
          new RegExp(
            `^latest is ${ids[1]}, published \\d+ \\w+ ago; before it came ${ids[0]}\\. Nothing was changed\\.$`,
          ),
        ),
        hint: `Type the id of the one you mean: npx --no crossfoot retract ${ids[1]} --account 7 --reason 'No'`,
      },
    );
    expect(await markedSnapshot('latest', 7n, 'retract', marking(61n))).toBe(ids[1]);
  });

  it('is not found by a pin that no snapshot has', async () => {
    const { marking } = await published(1n);
    await expect(markedSnapshot('close', 7n, 'unpin', marking(0n))).rejects.toMatchObject({
      code: 'not_found',
      message: 'Account 7 has no pin close.',
      hint: 'npx --no crossfoot snapshots --account 7 shows its snapshots and their pins.',
    });
  });
});

describe('a list', () => {
  const rows = [
    { id: 7, name: 'Acme' },
    { id: 12, name: '' },
  ];
  const printed = (json: boolean, some: typeof rows, none: string | null = 'no row') => {
    const lines: string[] = [];
    const context = {
      print: (line: string) => void lines.push(line),
      say: (line: string) => void lines.push(`said: ${line}`),
    };
    const columns = {
      id: ({ id }: (typeof rows)[number]) => String(id),
      'its name': ({ name }: (typeof rows)[number]) => name,
    };
    printList(context, some, { json, asJson: ({ id }) => ({ number: id }), columns, none });
    return lines;
  };

  it('is printed in columns below their headings, without blanks at the end of a line', () => {
    expect(printed(false, rows)).toEqual(['id  its name', '7   Acme', '12']);
  });

  it('without a row is a sentence to a person, or nothing, and an empty list to a program', () => {
    expect([printed(false, []), printed(false, [], null)]).toEqual([['said: no row'], []]);
    expect(JSON.parse(printed(true, []).join('\n'))).toEqual([]);
    expect(JSON.parse(printed(true, rows).join('\n'))).toEqual([{ number: 7 }, { number: 12 }]);
  });
});
