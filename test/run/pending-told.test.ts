/** The commands say when a retry follows, and advise no build beside it. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addDoctorCommand } from '../../src/commands/doctor/doctor.ts';
import { addRetractCommand } from '../../src/commands/retract.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { addWhyCommand } from '../../src/commands/why.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { writeAttempt } from '../../src/run/builders/attempts.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { runCommand } from '../commands/in-process.ts';
import { aBuild, publishNow } from '../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { instantOf } from '../support/instant-of.ts';
import { SEED } from '../support/signing.ts';
import { anAttempt } from './builders/attempt.ts';

const HOUR = 3_600_000_000n;
const NEWEST = CLOCK.now() - HOUR;
const REFUSAL = { code: 'audit_refused', message: 'costs: one cent is missing.', hint: null };

let database: TestDatabase;
let root: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createDatabase('template_company');
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-pending-'));
  env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  };
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  await publishNow(store, { ...aBuild('newest', NEWEST), account_id: 1n });
  const failure = { ...REFUSAL, error: null };
  const began_at = instantOf('2026-07-14T02:00:00.000000Z');
  for (const older of [{}, { began_at }])
    await writeAttempt(root, anAttempt({ outcome: 'failed', started_by: 'queue', failure, ...older }));
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

const raise = (error: Error): never => {
  throw error;
};

const printed = async (add: Parameters<typeof runCommand>[0], ...args: readonly string[]): Promise<string> =>
  (await runCommand(add, env, ...args)).printed.join('\n');

it('status, why and doctor tell the retry and its time, and a build of their own only without one', async () => {
  const service = database.pool('cf_service');
  const queue = await openBuildQueue({ service, supervise: false, onError: raise });
  onTestFinished(() => queue.close());
  await queue.enqueueRebuild([1n]);
  const build = await queue.take();
  if (build === null) throw new Error('the rebuild was not taken');
  await queue.fail(build, REFUSAL);
  await service.query("update ops.job set start_after = '2030-07-15T02:31:40Z' where state = 'retry'");

  const retry = 'a retry follows at about 2030-07-15 02:31 UTC, try 2 of 6';
  const look = 'npx --no crossfoot why --account 1';
  const refused = `  account 1 rebuild refused, try 1: audit_refused: costs: one cent is missing. Next: ${look} (${retry};`;
  // Also while nothing is wrong with its newest snapshot.
  expect(await printed(addStatusCommand, 'status')).toContain(refused);
  const retract = ['retract', snapshotIdOf(NEWEST), '--account', '1', '--reason', 'KES was read as dollars'];
  await runCommand(addRetractCommand, env, ...retract);
  expect(await printed(addWhyCommand, 'why')).toContain(
    `  next: ${look}\n        ${retry}; it publishes once the rows named above are right in the ledger`,
  );
  expect(await printed(addStatusCommand, 'status')).toContain(refused);
  expect(await printed(addStatusCommand, 'status')).toContain('\nno build of this night has ended\n');
  const advice = `A${retry.slice(1)}; look again then: ${look}`;
  for (const text of [await printed(addStatusCommand, 'status'), await printed(addDoctorCommand, 'doctor')])
    expect(text).toContain(advice);
  for (const [add, name] of [
    [addWhyCommand, 'why'],
    [addStatusCommand, 'status'],
    [addDoctorCommand, 'doctor'],
  ] as const)
    expect(await printed(add, name)).not.toMatch(/crossfoot (?:build|enqueue) /);
  expect(JSON.parse(await printed(addWhyCommand, 'why', '--json'))).toMatchObject([
    {
      pending: { account_id: '1', state: 'retry', at: '2030-07-15T02:31:40.000000Z', tries: 2, max_tries: 6 },
    },
    // The queue says what follows the last build, and nothing of the build before it.
    { began_at: '2026-07-14T02:00:00.000000Z', next: { command: 'npx --no crossfoot enqueue --account 1' } },
  ]);

  // The due time has passed, and no worker runs.
  await service.query(
    "update ops.job set start_after = '2026-07-15T02:31:40Z', started_on = null, completed_on = null where name = 'build'",
  );
  const untaken =
    'retry was due at about 2026-07-15 02:31 UTC, try 2 of 6; no worker takes it: start a worker, or read the log of the running one: npx --no crossfoot work';
  for (const [add, name] of [
    [addWhyCommand, 'why'],
    [addStatusCommand, 'status'],
    [addDoctorCommand, 'doctor'],
  ] as const)
    expect(await printed(add, name)).toContain(untaken);

  // No attempt is left.
  await service.query("update ops.job set state = 'failed', completed_on = now() where name = 'build'");
  const again = 'npx --no crossfoot enqueue --account 1';
  const why = await printed(addWhyCommand, 'why');
  expect(why).toContain(`  next: ${again}\n        once the rows named above are right in the ledger`);
  expect(why).toContain('  no build waits or runs');
  expect(JSON.parse(await printed(addWhyCommand, 'why', '--json'))).toMatchObject([
    { began_at: '2026-07-15T02:00:00.000000Z', pending: null, queue_answers: true },
    { began_at: '2026-07-14T02:00:00.000000Z' },
  ]);
  expect(await printed(addStatusCommand, 'status')).toContain(`Next: ${again} (once the rows`);
  expect(await printed(addDoctorCommand, 'doctor')).toContain(`then build a new one: ${again}.`);
});
