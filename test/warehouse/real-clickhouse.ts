/** ClickHouse and DuckDB load a delivered snapshot by the printed SQL, from a folder and from a bucket, every cell of it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FIELD_KINDS } from '../../src/fields.ts';
import { TABLES } from '../../src/tables/all.ts';
import { compareSql } from '../../src/warehouse/compare-digests.ts';
import { loadSql } from '../../src/warehouse/load-tables.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { openLoadedCompany } from './loaded-company.ts';

const run = promisify(execFile);

let company: Awaited<ReturnType<typeof openLoadedCompany>>;
let s3: ScriptedS3;
beforeAll(async () => {
  [company, s3] = await Promise.all([openLoadedCompany(), startScriptedS3()]);
});
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
  await company?.close();
});

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'crossfoot-clickhouse-'));
});
afterEach(() => rm(state, { recursive: true, force: true }));

type Engine = (script: string) => Promise<string>;

function engine(program: string, place: () => string): Engine {
  return async (script) => {
    const file = join(company.folder, 'script.sql');
    await writeFile(file, script);
    const python = process.env['CLICKHOUSE_PYTHON'] ?? 'python3';
    // The script of a download reads the files where it runs.
    const args = [join(import.meta.dirname, program), place(), file];
    const { stdout } = await run(python, args, { cwd: company.folder });
    return stdout.trim();
  };
}

const clickhouse = engine('run-clickhouse.py', () => state);
const duckdb = engine('run-duckdb.py', () => join(state, 'figures.duckdb'));

const WRITTEN = new Map<Engine, (table: string, file: string) => string>([
  [clickhouse, (table, file) => `select * from ${table} into outfile '${file}' format Parquet`],
  [duckdb, (table, file) => `copy ${table} to '${file}'`],
]);

/** Tables in which a row of the published file is not as the engine loaded it, or the other way around. */
async function different(loaded: Engine): Promise<readonly string[]> {
  const out = await mkdtemp(join(company.folder, 'loaded-'));
  const written = (name: string): string => join(out, `${name}.parquet`);
  await loaded(TABLES.map(({ name }) => WRITTEN.get(loaded)?.(name, written(name))).join(';\n'));
  const instance = await DuckDBInstance.create(':memory:');
  const session = await instance.connect();
  await session.run(`set timezone = 'UTC'`);
  const found: string[] = [];
  for (const { name, columns } of TABLES) {
    const rows = (file: string): string =>
      `select ${columns.map((each) => `"${each.name}"::${FIELD_KINDS[each.kind].duckdb}`).join(', ')} from '${file}'`;
    const [theirs, ours] = [rows(written(name)), rows(join(company.folder, `${name}.parquet`))];
    const differing = `((${theirs} except all ${ours}) union all (${ours} except all ${theirs}))`;
    const [counts] = (await session.runAndReadAll(`select count(*)::int from ${differing}`)).getRows();
    if (counts?.[0] !== 0) found.push(`${name}: ${String(counts?.[0])} rows`);
  }
  session.closeSync();
  instance.closeSync();
  return found;
}

/** The delivered prefix, in a folder and in a bucket that takes requests without a signature. */
async function prefixOf(kind: 'bucket' | 'folder') {
  const folder = await company.delivered("their figures' folder");
  if (kind === 'folder') return { prefix: folder };
  const below = join(folder, 'snapshots', company.snapshot_id);
  for (const name of await readdir(below)) {
    const body = await readFile(join(below, name));
    const key = `figures/snapshots/${company.snapshot_id}/${name}`;
    s3.bucket.objects.set(key, { body, modified: new Date(), headers: {} });
  }
  const latest = await readFile(join(folder, 'latest.json'));
  s3.bucket.objects.set('figures/latest.json', { body: latest, modified: new Date(), headers: {} });
  return { prefix: `s3://${BUCKET}/figures`, endpoint: s3.endpoint };
}

describe.each(['folder', 'bucket'] as const)('a delivered prefix in a %s', (kind) => {
  it('is loaded by ClickHouse, every cell of it, and a second time nothing', async () => {
    const script = loadSql('clickhouse', undefined, {
      ...(await prefixOf(kind)),
      snapshot: company.snapshot_id,
    });
    await clickhouse(script);
    expect(await different(clickhouse)).toEqual([]);
    await expect(clickhouse(script)).rejects.toThrow('is here already');
    expect(await different(clickhouse)).toEqual([]);
  });
});

it.each(['the newest', 'a named'] as const)(
  'a delivered prefix in a bucket is loaded by DuckDB, every cell of %s snapshot',
  async (which) => {
    const place = await prefixOf('bucket');
    const snapshot = which === 'a named' ? company.snapshot_id : undefined;
    const script = loadSql('duckdb', undefined, { ...place, snapshot });
    // The statement that the script says to run first.
    const secret = /create secret \(.*\)(?=\.)/.exec(script)?.[0] ?? '';
    await duckdb(`${secret};\n${script}`);
    expect(await different(duckdb)).toEqual([]);
  },
);

it('a download is loaded by ClickHouse, every cell of it', async () => {
  await clickhouse(loadSql('clickhouse'));
  expect(await different(clickhouse)).toEqual([]);
  // The comparison gives a row for each table that differs.
  expect(await clickhouse(compareSql(company.digests, 'clickhouse'))).toBe('');
  await clickhouse('alter table costs delete where initiative_id = 101 settings mutations_sync = 1');
  expect(await clickhouse(compareSql(company.digests, 'clickhouse'))).toContain('costs');
});
