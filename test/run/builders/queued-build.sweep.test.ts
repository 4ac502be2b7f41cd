/** A build that a worker took, in a real process of its own. */
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAttempts } from '../../../src/run/builders/attempts.ts';
import { processesByEnvironment } from '../../../src/run/builders/current-processes.ts';
import { queuedBuilds } from '../../../src/run/builders/queued-build.ts';
import { readClock } from '../../../src/ledger/clock.ts';
import { createLogger } from '../../../src/log.ts';
import type { TakenBuild } from '../../../src/ops/queue.ts';
import { signingKeyOf } from '../../../src/signing/keys.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { openFolderReader } from '../../../src/store/folder.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { OTHER_SEED, SEED } from '../../support/signing.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  [database, dataDir] = await Promise.all([
    createDatabase('template_company'),
    fs.mkdtemp(join(tmpdir(), 'crossfoot-queued-')),
  ]);
});
afterAll(async () => {
  await database.drop();
  // A builder that was killed may still write what it compiled.
  await fs.rm(dataDir, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

const environmentWith = (seed: string): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  DATA_DIR: dataDir,
  LEDGER_URL: database.url('cf_reader'),
  SIGNING_KEYS: seed,
  LOG_LEVEL: 'silent',
});

/** Runs builds of account 1 for a night; `tell` hears of them. */
function builds(night: string, enqueueEvent: Parameters<typeof queuedBuilds>[0]['enqueueEvent']) {
  const run = queuedBuilds({
    // Also where the account was switched off after the worker looked.
    session: { reports: async () => true },
    enqueueEvent,
    night: async () => night,
    logger: createLogger('silent'),
    processes: processesByEnvironment(async () => environmentWith(SEED)),
  });
  const build = { account_id: 1n, night } as TakenBuild; // what it reads of one
  return () => run(build, new AbortController().signal);
}

it('the events of a snapshot are queued before its build is settled, and again if it was published already', async () => {
  const steps: unknown[] = [];
  const run = builds('2026-07-15', async (event) => {
    await setImmediate(); // a webhook queue that takes its time
    steps.push(event);
  });
  const published = await run();
  steps.push('settled');
  expect(published).toMatchObject({ outcome: 'published', seq: 1 });
  const { snapshot_id } = published;
  // The record, from which /night reads, says the same time as the queue, from which status and metrics read.
  const [attempt] = (await readAttempts(dataDir, '1')).attempts;
  expect(attempt).toMatchObject({ outcome: 'published', snapshot_id });
  expect(published['ms']).toBe(Number((attempt?.ended_at ?? 0n) - (attempt?.began_at ?? 0n)) / 1_000);
  const events = ['snapshot.published', 'totals.moved', 'budget.passed'].map((type) => ({
    type,
    account_id: 1n,
    night: '2026-07-15',
    snapshot_id,
  }));
  expect(steps).toEqual([...events, 'settled']);
  // A worker that died between the two leaves the build to another.
  expect(await run()).toEqual({ outcome: 'skipped', snapshot_id, seq: 1 });
  expect(steps).toEqual([...events, 'settled', ...events]);
});

it('F-47: a build of an account that was switched off after its request ends as off, without a retry', async () => {
  const owner = await database.client('cf_owner');
  await owner.query(
    'update ledger.accounts set reporting_enabled_at = null, reporting_enabled_by_id = null where id = 1',
  );
  const told: unknown[] = [];
  const run = builds('2026-07-16', async (event) => void told.push(event));
  expect(await run()).toEqual({ outcome: 'off' });
  expect(told).toEqual([]);
});

it('a rebuild whose worker was killed after it had published is not built again', async () => {
  let seed = SEED;
  const run = queuedBuilds({
    session: { reports: async () => true },
    enqueueEvent: async () => undefined,
    night: async () => '2026-07-15',
    logger: createLogger('silent'),
    processes: processesByEnvironment(async () => environmentWith(seed)),
  });
  const reader = await database.client('cf_reader');
  const requested_at = await readClock(reader);
  const rebuild: TakenBuild = { id: 'any', retryCount: 0, account_id: 2n, night: null, requested_at };
  const { signal } = new AbortController();
  const first = await run(rebuild, signal);
  expect(first).toMatchObject({ outcome: 'published', seq: 1 });
  // As the next worker takes it up.
  const { ms: _, ...others } = first;
  expect(await run(rebuild, signal)).toEqual({ ...others, outcome: 'skipped' });
  // Requested anew, it is built anew, and signed with the key that has replaced the first one meanwhile.
  seed = OTHER_SEED;
  const again = { ...rebuild, requested_at: await readClock(reader) };
  expect(await run(again, signal)).toMatchObject({ outcome: 'published', seq: 2 });
  const root = join(dataDir, 'objects');
  const { entries } = await readLog(await openFolderReader({ fs, root }), 2n);
  const keys = [SEED, OTHER_SEED].map((each) => signingKeyOf(each).public_key.key_id);
  expect(entries.map(({ sshsig_key }) => sshsig_key)).toEqual(keys);
});
