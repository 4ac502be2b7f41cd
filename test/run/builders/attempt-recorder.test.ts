/** The record of a build tells the duration that the build itself told: the terminal, the queue and /night have one number. */
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CrossfootError } from '../../../src/errors.ts';
import { recordAttempt } from '../../../src/run/builders/attempt-recorder.ts';
import { readAttempts } from '../../../src/run/builders/attempts.ts';
import { buildLine } from '../../../src/run/builders/report.ts';
import { buildsSection } from '../../../src/serve/pages/night-strip.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crossfoot-recorded-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it.each(['published', 'superseded'] as const)(
  'the record of a %s snapshot ends after the duration of its build, even if it is written late',
  async (outcome) => {
    const recorder = await recordAttempt({
      dataDir,
      account_id: 1n,
      started_by: 'hand',
      onLost: (error) => {
        throw error;
      },
      withReserve: (write) => write(),
    });
    const event = { kind: `snapshot.${outcome}`, snapshot: '20260715T020000Z', seq: 1, ms: 6_701 } as const;
    recorder.follow(event);
    await recorder.end();
    const { attempts } = await readAttempts(dataDir, '1');
    expect(attempts).toMatchObject([{ outcome, began_at: recorder.began_at }]);
    expect(attempts[0]?.ended_at).toBe(recorder.began_at + 6_701_000n);
    const page = String(
      await buildsSection(
        attempts.map((attempt) => ({ ...attempt, code: null, trouble: null })),
        [],
      ),
    );
    expect(page).toContain('6.70 s');
    expect(buildLine({ ...event, kind: 'snapshot.published' })).toContain(' in 6.70 s');
  },
);

it('the record tells once how a build ended on a full disk, with the space reserved for it', async () => {
  const lost: unknown[] = [];
  const onLost = (error: unknown): void => void lost.push(error);
  const recorded = async (withReserve: (write: () => Promise<void>) => Promise<void>) => {
    const recorder = await recordAttempt({
      dataDir,
      account_id: 1n,
      started_by: 'hand',
      onLost,
      withReserve,
    });
    // Whatever is written there finds the disk full.
    const folder = join(dataDir, 'attempts', '1');
    const [name = ''] = (await readdir(folder)).toReversed();
    await symlink('/dev/full', join(folder, `${name}.part`));
    recorder.follow({ kind: 'audit.passed', checks: 42, ms: 1 });
    const error = new CrossfootError('spool_failed', 'The disk is full.', { hint: 'Free space.' });
    return { end: () => recorder.end(error), makeSpace: () => rm(join(folder, `${name}.part`)) };
  };
  const first = await recorded(async (write) => {
    await first.makeSpace();
    await write();
  });
  await first.end();
  expect(lost).toEqual([]);
  const { attempts } = await readAttempts(dataDir, '1');
  expect(attempts).toMatchObject([
    { outcome: 'failed', step: 'publish', failure: { code: 'spool_failed', message: 'The disk is full.' } },
  ]);
  // No space could be made: that is told once, and not at each step.
  const second = await recorded((write) => write());
  await second.end();
  expect(lost).toMatchObject([{ code: 'ENOSPC' }]);
});

it('the record has the newest state, and no state that a newer one overtook', async () => {
  const recorder = await recordAttempt({
    dataDir,
    account_id: 1n,
    started_by: 'night',
    withReserve: (write) => write(),
    onLost: (error) => {
      throw error;
    },
  });
  const written = { kind: 'table.written', bytes: 9, ms: 1 } as const;
  for (let rows = 1; rows <= 9; rows += 1) recorder.follow({ ...written, table: `table ${rows}`, rows });
  await recorder.end(new Error('killed'));
  const { attempts } = await readAttempts(dataDir, '1');
  expect(attempts).toMatchObject([{ outcome: 'failed', tables_written: 9, last_table: 'table 9' }]);
  expect(attempts[0]?.tables.map(({ rows }) => rows)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
