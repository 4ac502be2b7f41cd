/** What the campaign runs beyond the snippets: whole tools on two versions, each with what it answered. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Company } from './company.ts';
import { readLargeSum } from './java-client.ts';
import { readMomentInSpark } from './spark-moment.ts';

const TOP = resolve(import.meta.dirname, '../..');
const RUNS = join(import.meta.dirname, 'runs');
const LONGEST_MS = 240_000;
/** Of Spark with executors as processes of their own. */
const LONGEST_MOMENT_MS = 600_000;

/** Where the programs of the pinned packages are. */
export interface Tools {
  readonly python: string;
  /** Python with the next DuckDB, for which no wheel of httpfs exists yet. */
  readonly nextDuckdb: string;
  readonly dbt: string;
  readonly datacontract: string;
  readonly frictionless: string;
  /** The jars of Spark's connector; empty without them. */
  readonly jars: string;
  /** A dbt project that has dbt_utils; empty without it. */
  readonly project: string;
}

export interface WholeRun {
  readonly title: string;
  /** What it cannot run without, where that is not on every machine. */
  readonly needs?: 'jars' | 'project';
  /** What came of it in words; throws if a figure is wrong. */
  readonly run: (company: Company, tools: Tools, folder: string) => Promise<string>;
}

const cents = z.array(z.number()).transform((each) => [...new Set(each)].join(' and '));
const reads = z.object({ reads: z.number(), cost_cents: cents });

export const WHOLE_RUNS: readonly WholeRun[] = [
  {
    title:
      '`delta-sharing`: all tables at the newest version, a version by number, a version by time, and a pinned version',
    run: async (company, tools) => {
      const { reads: count, cost_cents } = reads.parse(script(company, tools, 'sharing.py'));
      return `${count} reads in pandas and in Arrow; cost ${cost_cents} cents, as \`reported_totals\` has it`;
    },
  },
  {
    title: '`delta-sharing`: the changes of all tables from version 1 to 2',
    run: async (company, tools) => {
      const kinds = z.record(z.string(), z.number()).parse(script(company, tools, 'changes.py'));
      const words = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
      return `${words.join(', ')}: row by row what \`/reporting/diff\` answers`;
    },
  },
  {
    title: 'Spark with `delta-sharing-spark`: the same reads, and the changes of `costs`',
    needs: 'jars',
    run: async (company, tools) => {
      const read = reads
        .extend({ costs_changed: z.record(z.string(), z.number()) })
        .parse(script(company, tools, 'spark.py'));
      const changed = Object.values(read.costs_changed).reduce((sum, count) => sum + count, 0);
      return `${read.reads} reads; cost ${read.cost_cents} cents, joined with \`reported_totals\` of the same version; ${changed} changed rows`;
    },
  },
  {
    title:
      'Spark with `spark_moment.py`, in a local cluster of two executors: the moment of `npx --no crossfoot moment`',
    needs: 'jars',
    run: (_, { python, jars }, folder) =>
      readMomentInSpark(
        folder,
        (env) => ({ run: (file, ...args) => tool(python, [file, ...args], folder, env, LONGEST_MOMENT_MS) }),
        jars
          .split(',')
          .filter((jar) => basename(jar).startsWith('postgresql-'))
          .join(','),
      ),
  },
  {
    title: 'DuckDB: `attach.sql`',
    run: async (company, tools) => {
      const { views, cost_cents } = z
        .object({ views: z.number(), cost_cents: z.number() })
        .parse(script(company, tools, 'attach.py'));
      return `${views} views over links; cost ${cost_cents} cents`;
    },
  },
  {
    title: '`duckdb` 2.0.1 for Python, on a downloaded snapshot',
    run: async (company, { nextDuckdb }, folder) => {
      const names = company.second.tables.map(({ name }) => name);
      await download(company, folder, []);
      tool(nextDuckdb, [join(RUNS, 'downloaded.py'), ...names], folder, company.env);
      return '`execute(…).fetchone()` counts every row; `costs` adds up to `reported_totals`';
    },
  },
  {
    title: 'pandas: whole numbers that may be empty',
    run: async (company, tools) => {
      const { integers, floats } = z
        .object({ integers: z.number(), floats: z.number() })
        .parse(script(company, tools, 'nullable.py'));
      return `${floats} of ${integers} integer columns of \`costs\` become floats by default, none with \`dtype_backend="pyarrow"\``;
    },
  },
  { title: '`dbt build` over both versions in DuckDB', needs: 'project', run: buildDbt },
  {
    title: '`datacontract test`',
    run: async (company, { datacontract }, folder) => {
      await download(company, folder, ['datacontract.yaml']);
      tool(
        datacontract,
        ['test', 'datacontract.yaml', '--output-format', 'json', '--output', 'tested.json'],
        folder,
      );
      const { checks } = z
        .object({ checks: z.array(z.object({ result: z.string(), reason: z.string().nullish() })) })
        .parse(JSON.parse(readFileSync(join(folder, 'tested.json'), 'utf8')));
      const passed = checks.filter(({ result }) => result === 'passed');
      const others = checks.filter(({ result }) => result !== 'passed');
      const untried = others.filter(({ reason }) => reason?.includes('not supported yet'));
      if (passed.length === 0 || untried.length < others.length) throw new Error(JSON.stringify(others));
      return `${passed.length} checks passed; it cannot check ${untried.length} types in Parquet files yet`;
    },
  },
  {
    title: '`frictionless validate`',
    run: async (company, { frictionless }, folder) => {
      await download(company, folder, ['datapackage.json']);
      const said = tool(frictionless, ['validate', 'datapackage.json', '--json'], folder);
      const { valid, stats } = z
        .object({ valid: z.boolean(), stats: z.object({ tasks: z.number() }) })
        .parse(JSON.parse(said));
      if (!valid) throw new Error(said);
      return `${stats.tasks} tables valid`;
    },
  },
  {
    // From then on version 2 is retracted.
    title: '`delta-sharing`: a version that is not there, and a retracted one',
    run: async (company, tools) => {
      const reason = ['--reason', 'A cost twice.'];
      company.command('retract', company.second.snapshot_id, '--account', '1', ...reason);
      const { refused } = z.object({ refused: z.number() }).parse(script(company, tools, 'refused.py'));
      return `version ${refused} is refused with the versions that can be read; the retracted one is read by default`;
    },
  },
  {
    // The last run: the ledger has a large cost then.
    title: 'A Java client made by openapi-generator 7.14.0: a cost of 3,000,000,000 cents',
    needs: 'jars',
    run: async (company, _, folder) => {
      await readLargeSum(company, folder, { tool, script: join(RUNS, 'Roi.java') });
      return 'the sum of `/v1/roi` is read to the cent, beyond 32 bits';
    },
  },
  {
    title:
      'DuckLake: all tables of three versions, in DuckDB with a token, over links and as SQLite, and in Polars',
    // The last run: it publishes a third version, after a run has retracted the second.
    run: async (company, { python }, folder) => {
      company.command('build', '--account', '1');
      const { reads: count, cost_cents } = reads.parse(
        JSON.parse(tool(python, [join(RUNS, 'lake.py')], folder, company.env)),
      );
      return `${count} reads, an earlier time and the schema of the pin; cost ${cost_cents} cents, as \`reported_totals\` has it`;
    },
  },
];

/** What a Python script prints: one line of JSON. */
function script({ env }: Company, { python, jars }: Tools, name: string): unknown {
  return JSON.parse(tool(python, [join(RUNS, name)], RUNS, { ...env, JARS: jars }));
}

/** What a program prints; throws with all that it said unless it exits 0. */
function tool(
  program: string,
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
  timeout = LONGEST_MS,
): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The tables of version 2 in both formats, beside the files of these names, as the article says. */
async function download({ get, second, env, command }: Company, folder: string, names: readonly string[]) {
  const snapshot = `/reporting/snapshots/${second.snapshot_id}`;
  command('pull', '--url', env['BASE_URL'] ?? '', '--to', folder, '--snapshot', second.snapshot_id);
  const csv = second.tables.map(({ name }) => `${name}.csv`);
  for (const name of [...csv, ...names]) writeFileSync(join(folder, name), await get(`${snapshot}/${name}`));
  for (const { name } of second.tables) {
    const file = `${name}.parquet`;
    copyFileSync(join(folder, second.snapshot_id, file), join(folder, file));
  }
}

/** Loads both versions, then runs the sources, the staging models and the reconciling test of the article. */
async function buildDbt(company: Company, { dbt, project }: Tools, folder: string): Promise<string> {
  const { get, command, env, first, second } = company;
  for (const { snapshot_id } of [first, second]) {
    const into = ['--into', `duckdb:${join(project, 'warehouse.duckdb')}`, '--history'];
    command('pull', '--url', env['BASE_URL'] ?? '', '--to', folder, '--snapshot', snapshot_id, ...into);
  }
  const files = new Map([
    [
      'profiles.yml',
      'clients:\n  target: here\n  outputs:\n    here: {type: duckdb, path: warehouse.duckdb, schema: models, threads: 1}\n',
    ],
    ['models/crossfoot.yml', await get('/reporting/dbt/sources.yml')],
    [
      'models/costs_by_month.sql',
      `select snapshot_id, period_month, sum(usd_amount_cents) as usd_amount_cents
from {{ source('crossfoot', 'costs') }}
group by all`,
    ],
    ['tests/costs_add_up.sql', articleSql()],
  ]);
  for (const { name } of second.tables) {
    files.set(`models/stg_crossfoot__${name}.sql`, await get(`/reporting/dbt/models/${name}.sql`));
  }
  for (const name of ['models', 'tests']) mkdirSync(join(project, name), { recursive: true });
  for (const [name, text] of files) writeFileSync(join(project, name), text);
  tool(dbt, ['build', '--no-send-anonymous-usage-stats', '--profiles-dir', '.'], project);
  const { results } = z
    .object({ results: z.array(z.object({ unique_id: z.string(), status: z.string() })) })
    .parse(JSON.parse(readFileSync(join(project, 'target/run_results.json'), 'utf8')));
  const bad = results.filter(({ status }) => status !== 'pass' && status !== 'success');
  if (bad.length > 0) throw new Error(JSON.stringify(bad));
  const models = results.filter(({ unique_id }) => unique_id.startsWith('model.'));
  return `${models.length} models built, ${results.length - models.length} tests passed`;
}

/** The last block of SQL in the article about dbt. */
function articleSql(): string {
  const article = readFileSync(join(TOP, 'docs/articles/load-with-dbt.md'), 'utf8');
  const sql = [...article.matchAll(/```sql\n(.*?)```/gs)].at(-1)?.[1];
  if (sql === undefined) throw new Error('the article about dbt has no SQL');
  return sql;
}
