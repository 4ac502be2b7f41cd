/** What the night does before it builds: rates over https from a real server, then conversion, in jobs and commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { refreshByLog, refreshRatesBefore } from '../../../src/run/worker/refresh-rates.ts';
import { READ_LIMITS } from '../../../src/rates/read-source.ts';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { certifyLoopback } from '../../rates/certificate.ts';
import { type HttpsServer, serveHttps } from '../../rates/https-server.ts';
import { zipOf } from '../../rates/zipped.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { addCost, type Founded, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { standing } from '../../ledger/convert/conversion-harness.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { type Ran, runCommand } from '../../commands/in-process.ts';
import { COMPILED, startProgram } from '../../commands/program.ts';
import { describeInSweeps } from '../../support/sweeps.ts';
import { SEED } from '../../support/signing.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
/** Two days of March 2020: 100.00 euros are 100.00 × (1.1 + 1.2) / 2 = 115.00 dollars. */
const MARCH = 'Date,USD,\n2020-03-31,1.2,\n2020-03-02,1.1,\n';
const AVERAGE = '11500 at 1.15, 2020-03-02..2020-03-31';
const CONTRADICTION = 'Date,USD,\n2020-04-01,1.3,\n2020-03-31,1.9,\n';

let database: TestDatabase;
let owner: Client;
let folder: string;
let home: Founded;
let server: HttpsServer;
beforeAll(async () => {
  database = await createDatabase();
  owner = await database.client('cf_owner');
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-night-'));
  home = await foundAccount(owner, { reporting_enabled_at: '2020-01-01' });
  const certified = certifyLoopback();
  await writeFile(join(folder, 'trusted.pem'), certified.cert);
  server = await serveHttps(certified, {
    '/history.zip': (response) => response.end(zipOf({ 'history.csv': Buffer.from(MARCH) })),
    '/revised.csv': (response) => response.end(CONTRADICTION),
  });
});
afterAll(async () => {
  await server.close();
  // A program that has said all it had to say may still be writing what it compiled.
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

beforeEach(async () => {
  await owner.query('truncate ledger.euro_reference_rates');
  await owner.query('delete from ledger.cost_entries');
});

const publishMarch = (): Promise<unknown> =>
  owner.query(
    "insert into ledger.euro_reference_rates values ('2020-03-02', 'USD', 1.1), ('2020-03-31', 'USD', 1.2)",
  );
const addEuros = (): Promise<bigint> =>
  inAccount(owner, home.account, () =>
    addCost(owner, home, { currency: 'EUR', period_start: '2020-03-01', period_end: '2020-03-31' }),
  );
const settings = (): Record<string, string> => ({
  DATABASE_URL: database.url('cf_reader'),
  SIGNING_KEYS: SEED,
  OWNER_URL: database.url('cf_owner'),
  DATA_DIR: folder,
});

/** Runs the job to its end; the lines of its log. */
async function runJob(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; log: Record<string, unknown>[] }> {
  const child = spawn(process.execPath, ['jobs/rates.ts'], {
    cwd: TOP,
    // Trusted by this process alone, beside what the system trusts.
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILED,
      NODE_EXTRA_CA_CERTS: join(folder, 'trusted.pem'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [lines, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
  const log = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, log };
}

describe('jobs/rates.ts', () => {
  it('without RATES_URL does nothing, and succeeds', async () => {
    const { code, log } = await runJob(settings());
    expect([code, log.map(({ event }) => event)]).toEqual([0, ['rates.skipped']]);
  });

  it('imports over https and converts, and a second time changes nothing', async () => {
    const id = await addEuros();
    const env = { ...settings(), RATES_URL: server.address('/history.zip') };
    const first = await runJob(env);
    expect(first).toMatchObject({
      code: 0,
      log: [
        { event: 'rates.imported', rows: 2 },
        { event: 'account.converted', account: String(home.account), rows: 1 },
      ],
    });
    expect(await standing(owner, 'cost_entries', id)).toBe(AVERAGE);
    expect(await runJob(env)).toMatchObject({ code: 0, log: [{ rows: 0 }, { rows: 0 }] });
  });

  it.each([
    ['a file that contradicts what was published', '/revised.csv', 'rates_changed'],
    ['a source that does not answer', '/absent', 'rates_not_read'],
  ])('refuses %s with 1, and converts at the rates that are there', async (_, path, problem) => {
    await publishMarch();
    const id = await addEuros();
    const { code, log } = await runJob({ ...settings(), RATES_URL: server.address(path) });
    expect([code, log.map(({ event, code: why }) => [event, why])]).toEqual([1, [['rates.failed', problem]]]);
    expect(await standing(owner, 'cost_entries', id)).toBe(AVERAGE);
  });

  it('refuses wrong settings with 2', async () => {
    expect((await runJob({ ...settings(), RATES_URL: 'http://127.0.0.1/rates' })).code).toBe(2);
    const { OWNER_URL, ...others } = settings();
    expect(OWNER_URL).toBeDefined();
    expect((await runJob({ ...others, RATES_URL: server.address('/history.zip') })).code).toBe(2);
  });
});

const build = (RATES_URL: string): Promise<Ran> =>
  runCommand(addBuildCommand, { ...settings(), RATES_URL, LOG_LEVEL: 'silent' }, 'build');

describeInSweeps('build', () => {
  it('imports and converts first', async () => {
    const path = join(folder, 'rates.csv');
    await writeFile(path, MARCH);
    const id = await addEuros();
    const { printed, said, error } = await build(pathToFileURL(path).href);
    expect(error).toBeUndefined();
    expect(said).toEqual(['rates: 2 rates added, 0 unchanged; entries converted: 1']);
    expect(printed.at(-1)).toMatch(/^ {2}published /);
    expect(await standing(owner, 'cost_entries', id)).toBe(AVERAGE);
  });

  it('publishes all the same when there are no rates to read, and then exits with 1', async () => {
    const { printed, said, error } = await build(pathToFileURL(join(folder, 'absent.csv')).href);
    expect(printed.at(-1)).toMatch(/^ {2}published /);
    expect(said[0]).toMatch(/^rates: .*absent\.csv could not be read: there is no such file\./);
    expect(error).toMatchObject({ code: 'rates_not_read', exitCode: 1 });
  });

  it('publishes all the same when an account cannot be converted, and then exits with 1', async () => {
    const path = join(folder, 'rates.csv');
    await writeFile(path, MARCH);
    await addEuros();
    await owner.query(
      'alter table ledger.cost_entries add constraint broken check (usd_rate is null) not valid',
    );
    const { printed, said, error } = await build(pathToFileURL(path).href);
    await owner.query('alter table ledger.cost_entries drop constraint broken');
    expect(printed.at(-1)).toMatch(/^ {2}published /);
    expect(said).toEqual([
      `rates: 1 account could not be fully converted; the first is account ${home.account}: a row of cost_entries breaks the rule broken.`,
    ]);
    expect(error).toMatchObject({ code: 'conversion_failed', exitCode: 1 });
  });
});

const TWO = 'Date,USD,GBP,\n2020-03-31,1.2,0.8,\n2020-03-02,1.1,0.88,\n';
const addPounds = (): Promise<bigint> =>
  inAccount(owner, home.account, () =>
    addCost(owner, home, { currency: 'GBP', period_start: '2020-03-01', period_end: '2020-03-31' }),
  );
const source = async (name: string, content: string): Promise<string> => {
  await writeFile(join(folder, name), content);
  return pathToFileURL(join(folder, name)).href;
};
const databases = (embedded = false) => ({ ownerUrl: database.url('cf_owner'), embedded });

/** Refreshes as a command does; what it said, and its failure. */
async function refresh(ratesUrl: string, signal = new AbortController().signal) {
  const said: string[] = [];
  const failure = await refreshRatesBefore({ ratesUrl }, databases(), {
    say: (line) => void said.push(line),
    signal,
  });
  return { said, failure };
}

describe('rates before a build', () => {
  it('count the entries of every currency, to a person and in the log', async () => {
    const two = await source('two.csv', TWO);
    await addEuros();
    await addPounds();
    expect(await refresh(two)).toEqual({
      said: ['rates: 4 rates added, 0 unchanged; entries converted: 2'],
      failure: null,
    });
    await owner.query('truncate ledger.euro_reference_rates');
    await owner.query('delete from ledger.cost_entries');
    await addEuros();
    await addPounds();
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(line) });
    await refreshByLog({ url: two, byDefault: false, limits: READ_LIMITS }, databases(), {
      logger,
      signal: new AbortController().signal,
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'rates.imported', rows: 4 },
      { event: 'account.converted', account: String(home.account), rows: 2 },
    ]);
  });

  it('say what a refused file contradicts, and name it also where an account could not be converted', async () => {
    await publishMarch();
    await addEuros();
    await owner.query(
      'alter table ledger.cost_entries add constraint broken check (usd_rate is null) not valid',
    );
    const { said, failure } = await refresh(await source('revised.csv', CONTRADICTION));
    await owner.query('alter table ledger.cost_entries drop constraint broken');
    expect(failure).toMatchObject({ code: 'rates_changed' });
    expect(said).toEqual([
      '2020-03-31 USD: published 1.2000000000, the file has 1.9000000000',
      `rates: ${failure?.message}`,
    ]);
  });

  it('are waited for no longer than until the command is stopped', async () => {
    const other = await database.client('cf_owner');
    await other.query('begin; lock table ledger.euro_reference_rates in share row exclusive mode');
    const stop = new AbortController();
    let outcome: unknown = 'still waiting';
    const refreshing = refresh(await source('two.csv', TWO), stop.signal);
    const ended = outcomeOf(refreshing).then((result) => (outcome = result));
    await expect
      .poll(async () => (await other.query('select from pg_locks where not granted')).rowCount)
      .toBe(1);
    stop.abort(new Error('stopped by SIGINT'));
    await setImmediate();
    expect(outcome).toMatchObject({ message: 'stopped by SIGINT' });
    await other.query('rollback');
    await ended;
  });
});

describeInSweeps('start', () => {
  it('imports and converts before it is ready', async () => {
    const path = join(folder, 'rates.csv');
    await writeFile(path, MARCH);
    const id = await addEuros();
    const program = startProgram(['start'], {
      ...settings(),
      DATABASE_URL: database.url('cf_service'),
      LEDGER_URL: database.url('cf_reader'),
      SIGNING_KEYS: SEED,
      PORT: '0',
      RATES_URL: pathToFileURL(path).href,
      SECRET_KEYS: 'the same key for every server of one ledger',
    });
    await program.said(/^ready /);
    program.signal('SIGTERM');
    const { stderr } = await program.ended;
    expect(stderr).toContain('rates: 2 rates added, 0 unchanged; entries converted: 1');
    expect(await standing(owner, 'cost_entries', id)).toBe(AVERAGE);
  });
});
