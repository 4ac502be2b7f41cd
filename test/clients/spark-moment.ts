/**
 * The moment of `crossfoot moment` in Spark: all its tables must equal the files that the program itself writes at that moment,
 * while the ledger changes. Readers outside the moment, and nulls in required columns, must fail.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { openClient } from '../../src/ledger/connect.ts';
import { WarmThread } from '../../src/parquet/warm-thread.ts';
import { rangeConnection } from '../../src/snapshot/builder/build-moment.ts';
import type { MomentPlan } from '../../src/snapshot/builder/moment-plan.ts';
import { writeTable } from '../../src/snapshot/builder/write-tables.ts';
import { openSpool } from '../../src/snapshot/spool/spool.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { Table } from '../../src/tables/table.ts';
import { digestQuery } from '../../src/warehouse/digests.ts';
import { seedAccount } from '../../tools/seed/seed-account.ts';
import { connectDuckDb } from '../parquet/read-back.ts';
import { change } from '../snapshot/builder/real-build.ts';
import { startCluster } from '../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { instantOf } from '../support/instant-of.ts';

const TOP = resolve(import.meta.dirname, '../..');
const SCRIPT = join(TOP, 'src/client/spark_moment.py');
/** Three ranges of `costs` and of `reported_value`. */
const ACCOUNT = { rows: 20_000, initiatives: 200, years: 2, inputs: 2_000, seed: 58n };
const RANGES = '3';
/** Two executors of one core each, as processes of their own. */
const CLUSTER = 'local-cluster[2,1,1024]';

interface Spark {
  /** Runs the script of this path, and gives what it prints; throws with all that it said unless it exits 0. */
  readonly run: (script: string, ...args: readonly string[]) => string;
}

/** Reads the moment, compares it, and tries the faults. Returns the outcome in words. */
export async function readMomentInSpark(
  folder: string,
  sparkWith: (env: Readonly<Record<string, string>>) => Spark,
  jars: string,
): Promise<string> {
  if (jars === '') throw new Error("the jars lack PostgreSQL's driver, org.postgresql:postgresql");
  const cluster = await startCluster();
  try {
    const database = await createDatabase('template_company', cluster);
    try {
      const owner = await database.client('cf_owner');
      const account = await seedAccount(owner, ACCOUNT, () => undefined);
      const ledger = database.url('cf_reader');
      const spark = sparkWith({
        LEDGER_URL: ledger,
        SPARK_LOCAL_IP: '127.0.0.1',
        // Neither the zone of the JVM nor that of the machine may show in a file.
        TZ: 'America/New_York',
        PYSPARK_SUBMIT_ARGS: `--master ${CLUSTER} --jars ${jars} --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 --conf spark.task.maxFailures=1 --conf spark.executor.memory=1g pyspark-shell`,
      });
      await using held = await holdMoment(account, ledger, folder);
      await change(
        owner,
        `update ledger.cost_entries set amount_cents = amount_cents + 100
         where account_id = ${account} and booked_month = (select max(booked_month) from ledger.cost_entries where account_id = ${account})`,
        account,
      );
      await writeOurs(database, held.plan, folder);
      spark.run(SCRIPT, held.path, join(folder, 'spark'));
      const rows = await compareAll(held.plan, folder);
      const refused = await refuseOthers(spark, held, folder);
      return `${rows} rows of ${held.plan.tables.length} tables equal at one moment of a ledger that changes: no row, digest or schema element differs; ${refused.join(', ')}: each fails, and no row is written`;
    } finally {
      await database.drop();
    }
  } finally {
    await cluster.stop();
  }
}

interface Held extends AsyncDisposable {
  readonly path: string;
  readonly plan: MomentPlan;
}

/** Runs the command until the plan is there; the end of the result stops the command. */
async function holdMoment(account: bigint, ledger: string, folder: string): Promise<Held> {
  const path = join(folder, 'plan.json');
  const args = ['moment', '--account', String(account), '--ranges', RANGES, '--to', path];
  const command = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: TOP,
    env: { PATH: process.env['PATH'], LEDGER_URL: ledger, DATA_DIR: folder, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(command.stdout)) if (line === path) break;
  const plan = JSON.parse(await fs.readFile(path, 'utf8')) as MomentPlan; // as the command wrote it
  return {
    path,
    plan,
    async [Symbol.asyncDispose]() {
      const ended = once(command, 'exit');
      command.kill('SIGTERM');
      const [code] = await ended;
      if (code !== 0) throw new Error(`the command ended with ${code}`);
    },
  };
}

/** Only reports of progress use it. */
const now = (): bigint => 0n;

/** The files that a snapshot of this moment has, on a connection that joins the moment. */
async function writeOurs(database: TestDatabase, plan: MomentPlan, folder: string): Promise<void> {
  const account_id = BigInt(plan.account_id);
  const { signal } = new AbortController();
  const spool = await openSpool({ fs, root: folder, account_id, nonce: 'ours', now });
  await using thread = new WarmThread();
  const [, appUrl] = /app\.app_url=(\S+)/.exec(plan.session_options) ?? [];
  const connect = () =>
    openClient({
      url: database.url('cf_reader'),
      role: 'cf_reader',
      applicationName: 'crossfoot build',
      ...(appUrl !== undefined && { appUrl }),
    });
  await rangeConnection({ account_id, signal }, { connect }, plan, async (client) => {
    for (const { name } of plan.tables) {
      await writeTable(
        tableNamed(name),
        {
          client,
          account_id,
          generated_at: instantOf(plan.generated_at),
          snapshot_id: plan.snapshot_id,
          spool,
          fs,
          thread,
          signal,
          now,
          onEvent: () => undefined,
        },
        `${name}.parquet`,
      );
      await fs.rename(spool.pathOf(`${name}.parquet`), join(folder, `${name}.parquet`));
    }
  });
  await spool.remove();
}

function tableNamed(name: string): Table {
  const table = TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`${name} is no table`);
  return table;
}

/** Throws unless rows, digests and schemas are equal; gives the number of rows. */
async function compareAll(plan: MomentPlan, folder: string): Promise<number> {
  const duckdb = await connectDuckDb();
  const ask = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRowsJson();
  let sum = 0;
  try {
    for (const { name } of plan.tables) {
      const ours = `read_parquet('${join(folder, name)}.parquet')`;
      const theirs = `read_parquet('${join(folder, 'spark', name)}/*.parquet')`;
      const facts = (source: string) => ask(digestQuery('duckdb', tableNamed(name), source));
      // The first element is the root, which each writer names as it likes. All parts have one schema.
      const schema = (files: string) =>
        ask(
          `select distinct name, type, repetition_type, converted_type, logical_type::varchar, field_id
           from parquet_schema('${files}') where num_children is null order by field_id`,
        );
      const [counts = []] = await ask(
        `select (select count(*) from (from ${ours} except all from ${theirs})),
          (select count(*) from (from ${theirs} except all from ${ours})), (select count(*) from ${ours})`,
      );
      const [lost = NaN, added = NaN, rows = NaN] = counts.map(Number);
      if (lost !== 0 || added !== 0)
        throw new Error(`${name}: ${lost} rows are missing in Spark's files, ${added} are others`);
      const equal = [
        [await facts(ours), await facts(theirs)],
        [
          await schema(`${join(folder, name)}.parquet`),
          await schema(`${join(folder, 'spark', name)}/*.parquet`),
        ],
      ] as const;
      for (const [a, b] of equal)
        if (JSON.stringify(a) !== JSON.stringify(b))
          throw new Error(`${name}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
      sum += rows;
    }
  } finally {
    duckdb.closeSync();
  }
  return sum;
}

/** What must fail, by its name: the plan or the script with one fault, and the words of the refusal. */
async function refuseOthers(spark: Spark, { path, plan }: Held, folder: string): Promise<readonly string[]> {
  const script = await fs.readFile(SCRIPT, 'utf8');
  const withoutMoment = plan.session_start.replace(/; set transaction snapshot .*$/, '');
  const [costs] = plan.tables.filter(({ name }) => name === 'costs');
  if (costs === undefined) throw new Error('the plan has no costs');
  const required = costs.columns.map((each) => ({ ...each, required: true }));
  const faults: readonly (readonly [string, MomentPlan, string, RegExp])[] = [
    ['a session without the moment', { ...plan, session_start: withoutMoment }, script, /division by zero/],
    ['a fetch size of 0', plan, script.replace('"10000"', '"0"'), /division by zero/],
    [
      'a null in a required column',
      { ...plan, tables: [{ ...costs, columns: required }] },
      script,
      /cannot be null|NullPointerException|NOT_NULL_ASSERT_VIOLATION|NULL_VALUE/i,
    ],
  ];
  for (const [index, [name, faultyPlan, faultyScript, words]] of faults.entries()) {
    const [planFile, scriptFile, out] = [`plan-${index}.json`, `script-${index}.py`, `out-${index}`].map(
      (each) => join(folder, each),
    ) as [string, string, string];
    await fs.writeFile(planFile, JSON.stringify(faultyPlan));
    await fs.writeFile(scriptFile, faultyScript);
    let said = '';
    try {
      spark.run(scriptFile, planFile, out, 'costs');
    } catch (error) {
      said = String(error);
    }
    if (!words.test(said)) throw new Error(`${name} does not fail as it must: ${said || 'it succeeds'}`);
    const left = (await fs.readdir(join(out, 'costs')).catch(() => [])).filter(
      (file) => !file.startsWith('_'),
    );
    if (left.length > 0) throw new Error(`${name} leaves ${left.join()}`);
  }
  await fs.access(path);
  return faults.map(([name]) => name);
}
