/** A build in ranges as operators run it: the build and its workers as processes, each with a spool of its own, on one ledger and one store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../../../src/config.ts';
import { sendSignal } from '../../../src/processes.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { nightAt } from '../../../src/run/nights.ts';
import { openObjectStore } from '../../../src/run/object-store.ts';
import { accountPrefix } from '../../../src/snapshot/format/keys.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import type { Store } from '../../../src/store/store.ts';
import { seedAccount } from '../../../tools/seed/seed-account.ts';
import { type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { pruneNow } from '../../snapshot/keep/prune-harness.ts';
import { type StartedCluster, startCluster } from '../../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { SEED, signingWith } from '../../support/signing.ts';
import { type Gateway, storeThrough } from '../s3/chaos-gateway.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
/** Costs and value entries have more rows than a row group: two ranges each. */
const LEDGER = { rows: 200_000, initiatives: 400, years: 2, inputs: 4_000, seed: 35n };
const SCHEDULE = '0 0 * * *';
const DAY = 86_400_000_000n;
const POLL_MS = 100;
/** A killed worker is noticed after 40 s; then its range is read again. */
const SETTLE_MS = 180_000;

type Env = Readonly<Record<string, string | undefined>>;

/** A process of the program. */
export interface RangeProcess {
  readonly child: ChildProcess;
  /** Resolves with its exit code; null: it was killed. */
  readonly ended: Promise<number | null>;
  /** The last lines that it wrote to standard error. */
  readonly said: () => string;
  /** Kills it, and with `all` its own processes too. */
  kill(all: boolean): void;
}

export interface RangeRoom extends AsyncDisposable {
  readonly store: Store;
  /** Starts the build, or a worker; `more` replaces settings. */
  start(command: 'build' | 'work', more?: Env): RangeProcess;
  /** The states of the ranges in the queue. */
  states(): Promise<readonly string[]>;
  /** The keys of the parts in the store. */
  parts(): Promise<readonly string[]>;
  /** The URL of the reader for another copy of the ledger, whose moments are others. */
  readonly elsewhere: string;
  /** The number of entries in the publish log. */
  entries(): Promise<number>;
  /** Throws unless the newest snapshot has the files that one connection writes at its moment. */
  holdEqual(): Promise<void>;
  /** Waits until no worker holds a range; then throws if prune leaves a part, or changes what is served. */
  holdNothingLeft(): Promise<void>;
}

/** Opens it, with one snapshot published in the night of now, so that no worker builds it. */
export async function openRangeRoom(gateway: Gateway | null): Promise<RangeRoom> {
  await using opened = new AsyncDisposableStack();
  const cluster: StartedCluster = await startCluster();
  opened.defer(() => cluster.stop());
  const harness: BuildHarness = await openBuildHarness('template_company', cluster);
  opened.defer(() => harness.close());
  const { database, root } = harness;
  const owner = await database.client('cf_owner');
  const account = await seedAccount(owner, LEDGER, () => undefined);
  await owner.query(
    `begin; set local app.account_id = '${account}';
     update ledger.accounts set reporting_enabled_at = null, reporting_enabled_by_id = null where id <> ${account}; commit`,
  );
  const other: TestDatabase = await createDatabase('template_company', cluster);
  opened.defer(() => other.drop());
  const env: Env = {
    PATH: process.env['PATH'],
    DATA_DIR: join(root, 'leader'),
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    RATES_URL: 'off',
    SCHEDULE,
    JITTER_SECONDS: '0',
    LOG_LEVEL: 'error',
    // A message then ends with the code of its error.
    LOG_FORMAT: 'text',
    OBJECT_STORE: `file:${join(root, 'objects')}`,
    ...gateway?.env,
  };
  const service = database.pool('cf_service');
  const store =
    gateway === null
      ? await openObjectStore(readSettings(env))
      : { ...storeThrough(gateway.env, gateway.port), signing: signingWith() };
  const now = { account_id: account, at: undefined, clock: CLOCK };
  const night = nightAt({ schedule: SCHEDULE }, CLOCK.now()).day;
  await harness.build({ ...now, store, night });

  const running = new Set<RangeProcess>();
  let started = 0;
  const start: RangeRoom['start'] = (command, more = {}) => {
    started += 1;
    const args = command === 'work' ? ['work'] : ['build', '--account', String(account), '--ranges', '2'];
    const child = spawn(process.execPath, ['src/cli.ts', ...args], {
      cwd: TOP,
      env: { ...env, ...(command === 'work' && { DATA_DIR: join(root, `worker-${started}`) }), ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let said = '';
    child.stderr.on('data', (piece) => (said = (said + String(piece)).slice(-2_000)));
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const begun: RangeProcess = {
      child,
      ended,
      said: () => said.trim(),
      kill: (all) => void sendSignal(all ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL'),
    };
    running.add(begun);
    void ended.then(() => running.delete(begun));
    return begun;
  };
  opened.defer(async () => {
    for (const each of running) each.kill(true);
    await Promise.all([...running].map(({ ended }) => ended));
  });
  const states: RangeRoom['states'] = async () => {
    const { rows } = await service.query<{ state: string }>(
      `select state::text from ops.job where name = 'range'`,
    );
    return rows.map(({ state }) => state);
  };
  const keys = () => Array.fromAsync(store.list(accountPrefix(account)));
  const parts = async (): Promise<readonly string[]> => (await keys()).filter((key) => key.includes('/r/'));
  const served = async (of: Store) => {
    const found = await harness.served(account, of);
    if (found === null) throw new Error('nothing is served');
    return found;
  };
  const moved = opened.move();
  return {
    store,
    start,
    states,
    parts,
    elsewhere: other.url('cf_reader'),
    entries: async () => {
      const log = await readLog(store, account);
      if (log.fault !== null) throw log.fault;
      return log.entries.length;
    },
    async holdEqual() {
      const { tables, files, generated_at } = await served(store);
      const own = await harness.emptyStore();
      await harness.build({ ...now, at: generated_at, store: own, night });
      const one = await served(own);
      for (const [what, ours, theirs] of [
        ['tables', one.tables, tables],
        ['files', one.files, files],
      ] as const)
        if (JSON.stringify(ours, inText) !== JSON.stringify(theirs, inText))
          throw new Error(`the ${what} are not those of one connection: ${JSON.stringify(theirs, inText)}`);
    },
    async holdNothingLeft() {
      for (let waited = 0; (await states()).some((state) => state !== 'completed'); waited += POLL_MS) {
        if (waited > SETTLE_MS) throw new Error(`ranges are left: ${(await states()).join()}`);
        await sleep(POLL_MS);
      }
      await service.query(`delete from ops.job where name = 'range'`);
      const before = await served(store);
      await pruneNow(store, { now: CLOCK.now() + 3n * DAY });
      const left = await parts();
      if (left.length > 0) throw new Error(`prune leaves ${left.join()}`);
      if ((await served(store)).snapshot_id !== before.snapshot_id)
        throw new Error('prune changed what is served');
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

const inText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
