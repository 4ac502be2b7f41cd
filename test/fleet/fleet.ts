/**
 * `npm run campaign -- fleet --accounts 1000 --rows 100 --workers 4 --kill-every 5`: generates as many small accounts,
 * queues their night from several processes at once, and builds it with as many worker processes, one of which is
 * killed every few seconds and replaced. One account's figures are spoiled. Fails unless every other account has
 * exactly one snapshot of the night, and the spoiled one none and a dead letter. Prints accounts per second, and the
 * CPU seconds of a small build. The wait before another try is cut short, heartbeats are not.
 *
 * Making a thousand accounts takes minutes: with --ledger <folder> their database is kept there before anything is
 * built, and a later run of as many begins with a copy of it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { asOwner } from '../../src/run/as-owner.ts';
import { requireOwner, openDatabases } from '../../src/run/databases.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import { nightAt } from '../../src/run/nights.ts';
import { openObjectStore } from '../../src/run/object-store.ts';
import { loadSharedRows } from '../../src/run/demo/shared-rows.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { readSettings } from '../../src/config.ts';
import { openPool } from '../../src/ledger/connect.ts';
import { seedAccount, hasSharedRows } from '../../tools/seed/seed-account.ts';
import { readNightStatus } from '../../src/ops/night-status.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { buildCpuSeconds } from './build-cpu.ts';
import { spoilAccount } from './spoil-account.ts';
import { SEED } from '../support/signing.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const ENQUEUERS = 5;
const MEASURED = 10;
const LOOK_MS = 1_000;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '100' },
    workers: { type: 'string', default: '4' },
    'kill-every': { type: 'string', default: '5' },
    ledger: { type: 'string' },
  },
});
const [accounts, rows, workers] = [Number(values.accounts), Number(values.rows), Number(values.workers)];
const killEveryMs = Number(values['kill-every']) * 1_000;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

async function generate(databases: Databases): Promise<readonly bigint[]> {
  return asOwner(databases, 'crossfoot fleet', async (owner) => {
    if (!(await hasSharedRows(owner))) await loadSharedRows(requireOwner(databases));
    const { rows: there } = await owner.query<{ id: bigint }>('select id from ledger.accounts order by id');
    const ids = there.map(({ id }) => id);
    if (ids.length > accounts) throw new Error(`${ids.length} accounts are there, more than ${accounts}`);
    for (let seed = BigInt(ids.length + 1); seed <= accounts; seed += 1n) {
      const size = { rows, initiatives: 20, years: 1, inputs: 0 };
      ids.push(await seedAccount(owner, { ...size, seed }, () => undefined));
    }
    return ids;
  });
}

/** Workers, of which one is killed now and then without a word and replaced at once. */
class Crew {
  killed = 0;
  readonly #env: NodeJS.ProcessEnv;
  readonly #workers: ChildProcess[] = [];

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
    for (let at = 0; at < workers; at += 1) this.#workers.push(this.#hire());
  }

  #hire(): ChildProcess {
    return spawn(process.execPath, ['src/cli.ts', 'work'], { cwd: TOP, env: this.#env, stdio: 'ignore' });
  }

  killOne(): void {
    const at = this.killed % workers;
    this.#workers[at]?.kill('SIGKILL');
    this.#workers[at] = this.#hire();
    this.killed += 1;
  }

  async dismiss(): Promise<void> {
    const running = this.#workers.splice(0).filter(({ exitCode }) => exitCode === null);
    const ended = running.map((worker) => once(worker, 'exit'));
    for (const worker of running) worker.kill('SIGTERM');
    await Promise.all(ended);
  }
}

/** Makes what is missing in the kept ledger, while nothing is queued in it yet, and begins with a copy. */
async function copyLedger(kept: string, folder: string): Promise<void> {
  const original = await openDatabases(
    readSettings({ DATA_DIR: kept }),
    new AbortController().signal,
    undefined,
    {
      creates: true,
    },
  );
  try {
    await generate(original);
  } finally {
    await original[Symbol.asyncDispose]();
  }
  await cp(join(kept, 'postgres'), join(folder, 'postgres'), { recursive: true });
}

const root = await mkdtemp(join(tmpdir(), 'crossfoot-fleet-'));
if (values.ledger !== undefined) await copyLedger(values.ledger, root);
const settings = readSettings({ DATA_DIR: root, SCHEDULE: '0 0 * * *' });
const databases = await openDatabases(settings, new AbortController().signal, undefined, { creates: true });
const env = {
  PATH: process.env['PATH'],
  DATA_DIR: root,
  LEDGER_URL: databases.ledgerUrl,
  DATABASE_URL: databases.serviceUrl ?? '',
  SIGNING_KEYS: SEED,
  SCHEDULE: settings.schedule,
  JITTER_SECONDS: '0',
  LOG_LEVEL: 'error',
};
const service = openPool({
  url: env.DATABASE_URL,
  role: 'cf_service',
  applicationName: 'crossfoot fleet',
  max: 1,
  onError: () => undefined,
});
let crew: Crew | undefined;
try {
  say(`${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}`);
  const generating = performance.now();
  const ids = await generate(databases);
  say(`${ids.length} accounts of ${rows} costs and value entries in ${seconds(generating).toFixed(0)} s`);

  const measured = ids.slice(0, MEASURED);
  const apart = { ...env, OBJECT_STORE: `file:${join(root, 'measured')}` };
  const [first = NaN, ...later] = await buildCpuSeconds(measured, apart);
  const mean = later.reduce((sum, cost) => sum + cost, 0) / later.length;
  say(
    `${first.toFixed(2)} CPU s for the first build of a process, ${mean.toFixed(2)} for each of the next ${later.length}; ` +
      "PostgreSQL's not counted",
  );

  const spoiled = ids.at(-1) ?? 0n;
  await asOwner(databases, 'crossfoot fleet', (owner) => spoilAccount(owner, spoiled));
  const { day } = nightAt(settings, CLOCK.now());
  const queue = (): Promise<unknown> =>
    promisify(execFile)(process.execPath, ['jobs/nightly.ts', '--once'], { cwd: TOP, env });
  await Promise.all(Array.from({ length: ENQUEUERS }, queue));

  const working = performance.now();
  crew = new Crew(env);
  let killed = performance.now();
  for (let told = 0; ;) {
    await sleep(LOOK_MS);
    if (performance.now() - killed > killEveryMs) {
      crew.killOne();
      killed = performance.now();
    }
    await service.query(
      `update ops.job set start_after = now() where state = 'retry' and start_after > now()`,
    );
    const { counts } = await readNightStatus(service, day, { troubles: 0, slowest: 0 });
    const left = counts.queued + counts.building + counts.refused + counts.failed;
    if (counts.published >= told + 50 || left === 0) {
      told = counts.published;
      say(`${seconds(working).toFixed(0)} s: ${told} published, ${left} left, ${crew.killed} workers killed`);
    }
    if (left === 0) break;
  }
  const took = seconds(working);
  await crew.dismiss();

  const store = await openObjectStore(settings);
  const wrong: string[] = [];
  for (const id of ids) {
    const { entries, fault } = await readLog(store, id);
    const nights = entries.map(({ night }) => night).join();
    if (fault !== null || nights !== (id === spoiled ? '' : day))
      wrong.push(`account ${id}: ${fault?.message ?? nights}`);
  }
  const { counts, troubles } = await readNightStatus(service, day, { troubles: 10, slowest: 0 });
  say(
    `${JSON.stringify(counts)}, ${JSON.stringify(troubles.map(({ account_id, ...rest }) => ({ account: Number(account_id), ...rest })))}`,
  );
  say(
    `${((ids.length - 1) / took).toFixed(2)} accounts a second with ${workers} workers, ${crew.killed} killed on the way`,
  );
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const [dead] = troubles;
  if (troubles.length !== 1 || dead?.account_id !== spoiled || dead.state !== 'dead') {
    throw new Error('the spoiled account, and no other, was to be given up on');
  }
  say(
    `exactly one snapshot of ${day} for each of ${ids.length - 1} accounts; the spoiled one lies in the dead letters`,
  );
} finally {
  await crew?.dismiss();
  await service.end();
  await databases[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
}
