/** ClickHouse loads a delivered snapshot by the printed SQL, from a folder and from a bucket, every cell of it. */
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
const SCRIPT = join(import.meta.dirname, 'run-clickhouse.py');

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

async function clickhouse(script: string): Promise<string> {
  const file = join(company.folder, 'script.sql');
  await writeFile(file, script);
  const python = process.env['CLICKHOUSE_PYTHON'] ?? 'python3';
  // The script of a download reads the files where it runs.
  const { stdout } = await run(python, [SCRIPT, state, file], { cwd: company.folder });
  return stdout.trim();
}

/** Tables in which a row of the published file is not as ClickHouse loaded it, or the other way around. */
async function different(): Promise<readonly string[]> {
  const out = await mkdtemp(join(company.folder, 'loaded-'));
  const written = (name: string): string => join(out, `${name}.parquet`);
  const write = TABLES.map(
    ({ name }) => `select * from ${name} into outfile '${written(name)}' format Parquet`,
  );
  await clickhouse(write.join(';\n'));
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
  return { prefix: `s3://${BUCKET}/figures`, endpoint: s3.endpoint };
}

describe.each(['folder', 'bucket'] as const)('a delivered prefix in a %s', (kind) => {
  it('is loaded by ClickHouse, every cell of it, and a second time nothing', async () => {
    const script = loadSql('clickhouse', undefined, {
      ...(await prefixOf(kind)),
      snapshot: company.snapshot_id,
    });
    await clickhouse(script);
    expect(await different()).toEqual([]);
    await expect(clickhouse(script)).rejects.toThrow('is here already');
    expect(await different()).toEqual([]);
  });
});

it('a download is loaded by ClickHouse, every cell of it', async () => {
  await clickhouse(loadSql('clickhouse'));
  expect(await different()).toEqual([]);
  // The comparison gives a row for each table that differs.
  expect(await clickhouse(compareSql(company.digests, 'clickhouse'))).toBe('');
  await clickhouse('alter table costs delete where initiative_id = 101 settings mutations_sync = 1');
  expect(await clickhouse(compareSql(company.digests, 'clickhouse'))).toContain('costs');
});
