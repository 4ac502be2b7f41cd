/** The whole text of `status`, and what `enqueue` says, over a queue and a store of which everything is known. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addEnqueueCommand } from '../../src/commands/enqueue.ts';
import { addStatusCommand } from '../../src/commands/status.ts';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { runCommand } from '../commands/in-process.ts';
import { aBuild, publishNow } from '../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { SEED } from '../support/signing.ts';

const HOUR = 3_600_000_000n;
const NEWEST = CLOCK.now() - 3n * HOUR;

let database: TestDatabase;
let owner: Client;
let root: string;
let env: Readonly<Record<string, string>>;
/** The first two accounts report, the first with a snapshot; the third account does not report. */
let accounts: readonly bigint[];
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  const found = [await foundAccount(owner), await foundAccount(owner), await foundAccount(owner)];
  accounts = found.map(({ account }) => account);
  for (const { account, person } of found.slice(0, 2))
    await owner.query(
      'update ledger.accounts set reporting_enabled_at = now(), reporting_enabled_by_id = $2 where id = $1',
      [account, person],
    );
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-status-'));
  env = {
    DATA_DIR: root,
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
  };
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  await publishNow(store, { ...aBuild('newest', NEWEST), account_id: accounts[0] ?? 0n });
});
afterAll(async () => {
  await fs.rm(root, { recursive: true });
  await database.drop();
});

const raise = (error: Error): never => {
  throw error;
};
const run = (add: Parameters<typeof runCommand>[0], ...args: readonly string[]) =>
  runCommand(add, env, ...args);

it('enqueue queues a build of each account that reports, and refuses another account', async () => {
  const [first, second, off] = accounts;
  expect(await run(addEnqueueCommand, 'enqueue')).toMatchObject({
    printed: [`account ${first} queued`, `account ${second} queued`],
    said: ['A worker builds next. npx --no crossfoot status shows each newest snapshot.'],
  });
  expect((await run(addEnqueueCommand, 'enqueue', '--account', String(second))).printed).toEqual([
    `account ${second} queued`,
  ]);
  expect((await run(addEnqueueCommand, 'enqueue', '--account', String(off))).error).toMatchObject({
    code: 'not_found',
    message: `Account ${off} is not in the ledger, or does not report.`,
    hint: `npx --no crossfoot account show ${off} shows whether its reporting is on and its plan has API access.`,
  });
});

it('status tells the night, each state, troubles, clocks, and the newest snapshots, those without one first', async () => {
  const [first, second] = accounts;
  const service = database.pool('cf_service');
  const queue = await openBuildQueue({ service, supervise: false, onError: raise });
  onTestFinished(() => queue.close());
  await queue.enqueueRebuild([first ?? 0n]);
  const { printed } = await run(addStatusCommand, 'status');
  const lines = printed.join('\n').split('\n');
  const states = ['queued', 'building', 'published', 'off', 'refused', 'failed', 'dead'];
  expect(lines).toEqual([
    expect.stringMatching(/^night of \d{4}-\d\d-\d\d, due \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    'no build of this night has ended',
    ...states.map((state) => `  ${state.padEnd(9)}  0`),
    'rebuilds waiting or running: 2; dead letters of all nights: 0',
    expect.stringMatching(/^clocks from this machine: database -?\d+\.\d s, store -?\d+\.\d s$/),
    'newest snapshot of each account, the oldest first',
    `  account ${second}  none`,
    `  account ${first}  3 h   ${snapshotIdOf(NEWEST)}`,
  ]);
  const json = JSON.parse((await run(addStatusCommand, 'status', '--json')).printed.join('\n')) as object;
  expect(json).toMatchObject({
    counts: Object.fromEntries(states.map((state) => [state, 0])),
    last_ended_at: null,
    troubles: [],
    slowest: [],
    rebuilds: 2,
    rebuild_counts: { queued: 2, building: 0, refused: 0, failed: 0, dead: 0 },
    dead_letters: 0,
    newest: [
      { account_id: Number(second), snapshot_id: null, night: null, age_seconds: null, damaged: [] },
      { account_id: Number(first), snapshot_id: snapshotIdOf(NEWEST), damaged_snapshots: [] },
    ],
    pending: [],
  });
});

it('enqueue says of a rebuild that runs that it runs already', async () => {
  const [first] = accounts;
  const service = database.pool('cf_service');
  const queue = await openBuildQueue({ service, supervise: false, onError: raise });
  onTestFinished(() => queue.close());
  const build = await queue.take();
  const { printed } = await run(
    addEnqueueCommand,
    'enqueue',
    '--account',
    String(build?.account_id ?? first),
  );
  expect(printed).toEqual([`account ${build?.account_id} is being rebuilt; one more build follows`]);
});
