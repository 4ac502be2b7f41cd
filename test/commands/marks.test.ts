import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { addPinCommand, addUnpinCommand } from '../../src/commands/pin.ts';
import { addRetractCommand } from '../../src/commands/retract.ts';
import { addScrubCommand } from '../../src/commands/scrub.ts';
import { addSnapshotsCommand } from '../../src/commands/snapshots.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { aBuild, DAY, publishNow } from '../snapshot/builder/build-harness.ts';
import { type Ran, runCommand } from './in-process.ts';
import { flipBit } from './published-folder.ts';

const NOW = CLOCK.now();
/** Eight days ago and yesterday: the first is due for a scrub, and neither has expired. */
const OLDER = snapshotIdOf(NOW - 8n * DAY);
const NEWER = snapshotIdOf(NOW - DAY);
const DAY_MS = 86_400_000;
const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

let root: string;
let older: string;
let store: Store;
beforeAll(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-marks-'));
  const objects = join(root, 'objects');
  store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
  const build = aBuild('older', NOW - 8n * DAY);
  await publishNow(store, build);
  await publishNow(store, aBuild('newer', NOW - DAY));
  older = join(objects, `v1/a/7/s/${OLDER}-${build.nonce}`);
});
afterAll(() => fs.rm(root, { recursive: true }));

const run = (add: Parameters<typeof runCommand>[0], ...args: readonly string[]): Promise<Ran> =>
  runCommand(add, { DATA_DIR: root }, ...args);
const pinned = (...args: readonly string[]): Promise<Ran> =>
  run(addPinCommand, 'pin', OLDER, '--account', '7', ...args);
async function listed(): Promise<Record<string, unknown>[]> {
  const ran = await run(addSnapshotsCommand, 'snapshots', '--account', '7', '--json');
  return JSON.parse(ran.printed.join('\n')) as Record<string, unknown>[];
}

it('pin keeps a snapshot for 400 days, or through the day that is named, and unpin ends it', async () => {
  const outcome = await pinned('--name', 'year-end');
  expect(outcome.error).toBeUndefined();
  expect(outcome.printed[0]).toMatch(
    new RegExp(`^${OLDER} is pinned as year-end until ${dayFromNow(400)} \\d\\d:\\d\\d UTC$`),
  );
  // Through the day: until the midnight after it.
  expect((await pinned('--name', '2026-10-close', '--until', dayFromNow(30))).printed).toEqual([
    `${OLDER} is pinned as 2026-10-close until ${dayFromNow(31)} 00:00 UTC`,
  ]);
  expect(await listed()).toMatchObject([
    { snapshot_id: NEWER, pins: [] },
    { snapshot_id: OLDER, pins: ['2026-10-close', 'year-end'] },
  ]);
  const released = await run(addUnpinCommand, 'unpin', OLDER, '--account', '7', '--name', 'year-end');
  expect(released.printed).toEqual([`${OLDER} is no longer pinned as year-end`]);
  expect((await listed())[1]).toMatchObject({ pins: ['2026-10-close'] });
});

it.each([
  ['a day that has gone', ['--name', 'a', '--until', '2020-01-01'], 'usage_invalid'],
  ['a day in ten years and more', ['--name', 'a', '--until', '2099-01-01'], 'usage_invalid'],
  ['no day of the calendar', ['--name', 'a', '--until', '2027-02-30'], 'commander.invalidArgument'],
  ['a name with a blank', ['--name', 'a b'], 'commander.invalidArgument'],
  ['no name', [], 'commander.missingMandatoryOptionValue'],
])('pin refuses %s', async (_, args, code) => {
  expect((await pinned(...args)).error).toMatchObject({ code });
});

it('the refusal of a pin names the day of --until as it was given', async () => {
  expect((await pinned('--name', 'a', '--until', '2020-01-01')).error).toMatchObject({
    message: '--until must name a day from today to ten years from now, found 2020-01-01.',
  });
});

it('retract marks a snapshot once, names its replacement, and shows both in the list', async () => {
  const retracted = (...args: readonly string[]): Promise<Ran> =>
    run(addRetractCommand, 'retract', OLDER, '--account', '7', ...args);
  const reason = 'A bill was loaded twice.';
  expect((await retracted('--reason', reason, '--replaced-by', OLDER)).error).toMatchObject({
    code: 'usage_invalid',
  });
  expect((await retracted('--reason', reason, '--replaced-by', '20200101T000000Z')).error).toMatchObject({
    code: 'not_found',
  });
  expect((await retracted('--reason', 'two\nlines')).error).toMatchObject({
    code: 'commander.invalidArgument',
  });
  const ran = await retracted('--reason', reason, '--replaced-by', NEWER);
  expect(ran.printed[0]).toMatch(new RegExp(`^${OLDER} is retracted since .* UTC; ${NEWER} replaces it$`));
  // The same mark again changes nothing; another word is refused, and a retracted snapshot replaces no other.
  expect((await retracted('--reason', reason, '--replaced-by', NEWER)).printed).toEqual(ran.printed);
  expect((await retracted('--reason', 'Another.')).error).toMatchObject({ code: 'snapshot_retracted' });
  const other = await run(
    addRetractCommand,
    'retract',
    NEWER,
    '--account',
    '7',
    '--reason',
    'x',
    '--replaced-by',
    OLDER,
  );
  expect(other.error).toMatchObject({ code: 'usage_invalid' });
  expect((await listed())[1]).toMatchObject({ retraction: reason, chain: 'whole' });
});

const pinOrUnpin = (verb: 'pin' | 'unpin', text: string, ...more: readonly string[]): Promise<Ran> =>
  run(verb === 'pin' ? addPinCommand : addUnpinCommand, verb, text, '--account', '7', ...more);
/** Whether each snapshot has the pin `used`, the newest first. */
const used = async () => (await listed()).map(({ pins }) => (pins as string[]).includes('used'));

describe('a name of a pin', () => {
  it('moves to another snapshot only with --move, and says what it meant until now', async () => {
    expect((await pinOrUnpin('pin', OLDER, '--name', 'used')).error).toBeUndefined();
    const refused = await pinOrUnpin('pin', NEWER, '--name', 'used');
    expect(refused.error).toMatchObject({
      code: 'usage_invalid',
      exitCode: 2,
      message: `used means ${OLDER} until now. Nothing was changed.`,
      hint: expect.stringContaining('--move'),
    });
    expect(await used()).toEqual([false, true]);
    // The snapshot that has the name keeps it: only its end moves.
    expect(
      (await pinOrUnpin('pin', OLDER, '--name', 'used', '--until', dayFromNow(30))).error,
    ).toBeUndefined();
    expect((await pinOrUnpin('pin', NEWER, '--name', 'used', '--move')).printed).toEqual([
      expect.stringMatching(`^${NEWER} is pinned as used until `),
      `${OLDER} is no longer pinned as used`,
    ]);
    expect(await used()).toEqual([true, false]);
    // It moves to an older snapshot, too.
    expect((await pinOrUnpin('pin', OLDER, '--name', 'used', '--move')).printed).toHaveLength(2);
    expect(await used()).toEqual([false, true]);
    expect((await pinOrUnpin('unpin', OLDER, '--name', 'used')).error).toBeUndefined();
    expect((await pinOrUnpin('pin', NEWER, '--name', 'used')).error).toBeUndefined();
    expect((await pinOrUnpin('unpin', NEWER, '--name', 'used')).error).toBeUndefined();
  });

  it('names the snapshot of pin and unpin, and none that no pin has', async () => {
    expect((await pinOrUnpin('pin', OLDER, '--name', 'first')).error).toBeUndefined();
    expect((await pinOrUnpin('pin', 'first', '--name', 'second')).printed[0]).toMatch(
      `${OLDER} is pinned as second`,
    );
    expect((await pinOrUnpin('unpin', 'second', '--name', 'first')).printed).toEqual([
      `${OLDER} is no longer pinned as first`,
    ]);
    expect((await pinOrUnpin('pin', 'first', '--name', 'third')).error).toMatchObject({
      code: 'not_found',
      message: 'Account 7 has no pin first.',
    });
    expect((await pinOrUnpin('unpin', 'second', '--name', 'second')).error).toBeUndefined();
  });
});

const MINUTE = 60_000_000n;
/** Publishes a snapshot at each moment, and gives their ids. */
const publishedAt = async (account_id: bigint, ...moments: readonly bigint[]): Promise<string[]> => {
  for (const [index, moment] of moments.entries()) {
    await publishNow(store, { ...aBuild(`latest ${account_id} ${index}`, moment), account_id });
  }
  return moments.map(snapshotIdOf);
};
const retractOf = (id: string, number: string): Promise<Ran> =>
  run(addRetractCommand, 'retract', id, '--account', number, '--reason', 'x');

describe('latest', () => {
  const account = ['--account', '7'];
  const named = ['latest', ...account, '--name', 'close'];

  it('is the newest snapshot of pin, unpin and retract, whose id they print', async () => {
    expect((await run(addPinCommand, 'pin', ...named)).printed[0]).toMatch(
      new RegExp(`^${NEWER} is pinned as close until `),
    );
    expect((await run(addUnpinCommand, 'unpin', ...named)).printed).toEqual([
      `${NEWER} is no longer pinned as close`,
    ]);
    const none = ['latest', '--account', '9', '--name', 'close'];
    expect((await run(addPinCommand, 'pin', ...none)).error).toMatchObject({
      code: 'not_found',
      message: 'Account 9 has published no snapshot.',
    });
  });

  it('is refused with its id while it is less than an hour old and an older one is there', async () => {
    // Of its first snapshot, an account has no other one.
    const [first = ''] = await publishedAt(21n, CLOCK.now() - MINUTE);
    expect((await retractOf('latest', '21')).printed[0]).toMatch(new RegExp(`^${first} is retracted since`));
    await publishedAt(22n, CLOCK.now() - DAY, CLOCK.now() - 62n * MINUTE);
    expect((await retractOf('latest', '22')).error).toBeUndefined();
    const [before = '', newest = ''] = await publishedAt(23n, CLOCK.now() - DAY, CLOCK.now() - 60n * MINUTE);
    for (const [add, verb] of [
      [addPinCommand, 'pin'],
      [addUnpinCommand, 'unpin'],
      [addRetractCommand, 'retract'],
    ] as const) {
      const more = verb === 'retract' ? ['--reason', 'x'] : ['--name', 'x'];
      expect((await run(add, verb, 'latest', '--account', '23', ...more)).error).toMatchObject({
        code: 'usage_invalid',
        exitCode: 2,
        message: `latest is ${newest}, published 59 minutes ago; before it came ${before}. Nothing was changed.`,
        hint: `Type the id of the one you mean: npx --no crossfoot ${verb} ${newest} --account 23 ${more.join(' ')}`,
      });
    }
    expect((await retractOf(newest, '23')).error).toBeUndefined();
  });

  it('is the snapshot that retract --future-head passes over', async () => {
    const [future = ''] = await publishedAt(25n, CLOCK.now() + DAY);
    const args = ['latest', '--account', '25', '--reason', 'A wrong clock', '--future-head'];
    expect(await run(addRetractCommand, 'retract', ...args)).toMatchObject({
      error: undefined,
      printed: [`${future} is retracted; the next build of account 25 ignores it`],
    });
  });

  it.each(['Latest', 'newest', '', 'latest '])('is not written %j', async (text) => {
    const ran = await run(addPinCommand, 'pin', text, ...account, '--name', 'x');
    expect(ran.error).toMatchObject({ code: 'commander.invalidArgument' });
  });
});

it('scrub lists what is due, finds damage, names the lost pins, and fails until the file is restored', async () => {
  const shown = await run(addScrubCommand, 'scrub', '--dry-run');
  expect(shown.printed).toEqual([
    expect.stringMatching(new RegExp(`^account 7 {2}${NEWER} {2}was last undamaged .* UTC$`)),
    expect.stringMatching(new RegExp(`^account 7 {2}${OLDER} {2}was last undamaged .* UTC$`)),
  ]);
  const costs = join(older, 'costs.parquet');
  await flipBit(costs);
  const found = await run(addScrubCommand, 'scrub');
  expect(found.printed).toEqual([
    `account 7  ${OLDER}  DAMAGED costs.parquet; it was pinned as 2026-10-close`,
  ]);
  expect(found.error).toMatchObject({ code: 'scrub_found_damage', exitCode: 1 });
  const table = await run(addSnapshotsCommand, 'snapshots', '--account', '7');
  expect(table.printed[2]).toMatch(
    /whole; RETRACTED: A bill was loaded twice\.; DAMAGED: costs\.parquet; pinned as 2026-10-close$/,
  );
  // A broken manifest hides no mark.
  await flipBit(join(older, 'manifest.json'));
  expect((await listed())[1]).toMatchObject({
    rows: null,
    pins: ['2026-10-close'],
    retraction: 'A bill was loaded twice.',
    damaged: ['costs.parquet'],
    chain: expect.stringMatching(/^BROKEN /),
  });
  await flipBit(join(older, 'manifest.json'));
  await flipBit(costs);
  const mended = await run(addScrubCommand, 'scrub', '--account', '7');
  expect(mended).toMatchObject({
    printed: [`account 7  ${OLDER}  is undamaged again and served`],
    said: ['2 snapshots read again, 0.0 MB, 0 damaged, 0 left for later'],
    error: undefined,
  });
});

it('scrub names the account of which the log cannot be read, and fails although nothing is damaged', async () => {
  await publishedAt(24n, CLOCK.now() - DAY);
  await flipBit(join(root, 'objects/v1/a/24/log/0000000001.json'));
  const ran = await run(addScrubCommand, 'scrub', '--account', '24');
  expect(ran.printed).toEqual([]);
  expect(ran.said[0]).toMatch(/^account 24 could not be read: /);
  expect(ran.error).toMatchObject({
    code: 'scrub_found_damage',
    message: '0 snapshots are damaged, 1 were not read.',
  });
});
