/** A built snapshot loaded by the generated statements into the warehouses that are at hand, and compared there. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Client, QueryResult } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELD_KINDS } from '../../src/fields.ts';
import { TABLES } from '../../src/tables/all.ts';
import { compareSql } from '../../src/warehouse/compare-digests.ts';
import { loadSql } from '../../src/warehouse/load-tables.ts';
import { openLoadedCompany } from './loaded-company.ts';
import { besideFiles } from '../support/beside-files.ts';

let company: Awaited<ReturnType<typeof openLoadedCompany>>;
let instance: DuckDBInstance;
let duckdb: DuckDBConnection;
let postgres: Client;
/** What each script said of its first run. */
const notes = { duckdb: null as unknown, postgres: null as unknown };

beforeAll(async () => {
  company = await openLoadedCompany();
  instance = await DuckDBInstance.create(':memory:');
  duckdb = await instance.connect();
  await duckdb.run(`set timezone = 'America/New_York'`);
  notes.duckdb = await runDuckDB(loadSql('duckdb'));
  postgres = await company.database.admin();
  await postgres.query(`create schema warehouse; set search_path = warehouse; set timezone = 'Asia/Tokyo'`);
  notes.postgres = await runPsql(loadSql('postgres'));
});
afterAll(async () => {
  duckdb.closeSync();
  instance.closeSync();
  await company.close();
});

/** Runs a script as psql would, whose own command reads a file of the client; returns the note that it prints. */
async function runPsql(script: string): Promise<unknown> {
  let note: unknown;
  for (const part of script.split(/^(?=\\copy)|(?<=^\\copy.*\n)/m)) {
    const [, head = '', file = '', options = ''] = /^\\copy (.*) from '(.*)' (.*)\n$/.exec(part) ?? [];
    if (head === '') note = noteOf(await postgres.query(part)) ?? note;
    else {
      const copy = postgres.query(copyFrom(`copy ${head} from stdin ${options}`));
      await pipeline(createReadStream(join(company.folder, file)), copy);
    }
  }
  return note;
}

/** The note among the results of several statements. */
function noteOf(results: unknown): unknown {
  const each = (Array.isArray(results) ? results : [results]) as readonly QueryResult<{ note?: string }>[];
  return each.flatMap(({ rows }) => rows).find((row) => row.note !== undefined)?.note;
}

/** Runs a script in DuckDB; returns the note of its last select. */
async function runDuckDB(script: string): Promise<unknown> {
  const [before = '', last = ''] = script.split(/^(?=select case )/m);
  await duckdb.run(besideFiles(before, company.folder));
  const [select = '', ...after] = last.split(/(?<=;\n)/);
  const [row] = await inDuckDB(select);
  await duckdb.run(besideFiles(after.join(''), company.folder));
  return row?.['note'];
}

const inDuckDB = async (sql: string) =>
  (await duckdb.runAndReadAll(besideFiles(sql, company.folder))).getRowObjectsJson();
const inPostgres = async (sql: string) => (await postgres.query<Record<string, unknown>>(sql)).rows;

const containing = (text: string) => expect.stringContaining(text) as string;

const WAREHOUSES = {
  duckdb: { ask: inDuckDB, load: runDuckDB },
  postgres: { ask: inPostgres, load: runPsql },
};

describe.each(['duckdb', 'postgres'] as const)('the snapshot in %s', (dialect) => {
  const { ask, load } = WAREHOUSES[dialect];
  const compare = () => ask(compareSql(company.digests, dialect));

  it('is found to be equal', async () => {
    expect(await compare()).toEqual([]);
  });

  it('is found to be equal beside the rows of an earlier and of a later snapshot', async () => {
    await ask('begin');
    for (const id of ['20200101T000000Z', '20990101T000000Z'])
      await ask(`insert into accounting_periods (snapshot_id, month, status, locked)
        values ('${id}', '1999-01-01', 'open', false)`);
    const differences = await compare();
    await ask('rollback');
    expect(differences).toEqual([]);
  });

  it('differs by one cent from the query’s result, which shows the actual and the expected sum', async () => {
    const cent = (change: string) =>
      ask(
        `update costs set amount_cents = amount_cents ${change} where cost_entry_id = (select min(cost_entry_id) from costs)`,
      );
    const [sum] = await ask('select cast(sum(amount_cents) as varchar) as found from costs');
    const found = BigInt(String(sum?.['found']));
    await cent('+ 1');
    const differences = await compare();
    await cent('- 1');
    expect(differences).toEqual([
      { table_name: 'costs', difference: `amount_cents sum "${found + 1n}", not "${found}"; ` },
    ]);
  });

  it('differs in each other measure alone when only that measure was changed', async () => {
    await ask('begin');
    await ask('delete from costs');
    await ask('update initiatives set priority = null');
    await ask(
      "update accounting_periods set month = '1999-01-01' where month = (select max(month) from accounting_periods)",
    );
    await ask("update snapshot set generated_at = generated_at + interval '1 microsecond'");
    await ask("update reported_totals set window_key = '~' where window_key = 'all'");
    const differences = await compare();
    await ask('rollback');
    expect(differences).toEqual(
      [
        { table_name: 'accounting_periods', difference: containing('month least "1999-01-01", not "') },
        { table_name: 'costs', difference: containing('rows "0", not "') },
        { table_name: 'initiatives', difference: containing('priority nulls "') },
        // 2026-07-15T02:00:00.123456Z: day 20,649 since 1970 × 86,400 s + 7,200 s = 1,784,080,800 s.
        {
          table_name: 'snapshot',
          difference: containing('generated_at least "1784080800123457", not "1784080800123456"; '),
        },
        { table_name: 'reported_totals', difference: containing('window_key greatest "~", not "') },
      ].toSorted((a, b) => (a.table_name < b.table_name ? -1 : 1)),
    );
  });

  it('is there already the second time: the script says so, and loads nothing', async () => {
    expect(notes[dialect]).toBe('Loaded.');
    expect(await load(loadSql(dialect))).toBe('This snapshot is here already. Nothing was loaded.');
    expect(await compare()).toEqual([]);
  });

  it('is refused where another account has a snapshot of the same second', async () => {
    await ask('update snapshot set account_id = account_id + 1');
    await expect(load(loadSql(dialect))).rejects.toThrow(/duplicate key|primary key/i);
    await ask('rollback');
    await ask('update snapshot set account_id = account_id - 1');
    expect(await compare()).toEqual([]);
  });
});

it('CSV holds what the Parquet file holds, value by value, in every table', async () => {
  const differing: string[] = [];
  for (const { name, columns } of TABLES) {
    const types = columns.map((each) => `'${each.name}': '${FIELD_KINDS[each.kind].duckdb}'`).join(', ');
    const csv = `read_csv('${name}.csv', header = true, quote = '"', escape = '"', allow_quoted_nulls = false, columns = {${types}})`;
    const parquet = `read_parquet('${name}.parquet')`;
    const [rows] = await inDuckDB(`select
      (select count(*) from (from ${csv} except all from ${parquet})) as more,
      (select count(*) from (from ${parquet} except all from ${csv})) as less`);
    if (rows?.['more'] !== '0' || rows['less'] !== '0') differing.push(name);
  }
  expect(differing).toEqual([]);
});

it('the load distinguishes an empty text from null, also after PostgreSQL has read it', async () => {
  const counts = `select count(*) filter (where notes = '') as empty, count(notes) as texts from`;
  const [stored] = await inDuckDB(`${counts} read_parquet('costs.parquet')`);
  const [loaded] = await inPostgres(`${counts} costs`);
  expect({ empty: String(loaded?.['empty']), texts: String(loaded?.['texts']) }).toEqual(stored);
});

describe('a delivered prefix', () => {
  it.each([
    ['newest', undefined],
    ['named', 'named'],
  ])('is loaded by DuckDB, the %s snapshot, and a second time nothing', async (_, named) => {
    const prefix = await company.delivered("their figures' folder");
    const snapshot = named === undefined ? undefined : company.snapshot_id;
    const script = loadSql('duckdb', undefined, { prefix, snapshot });
    const own = await DuckDBInstance.create(':memory:');
    const session = await own.connect();
    const run = async (): Promise<unknown> => {
      const [before = '', select = '', after = ''] = script.split(
        /^(?=select case )|(?<=from new_snapshot;\n)/m,
      );
      await session.run(before);
      const rows = (await session.runAndReadAll(select)).getRowObjectsJson();
      await session.run(after);
      return rows[0]?.['note'];
    };
    expect(await run()).toBe('Loaded.');
    expect((await session.runAndReadAll(compareSql(company.digests, 'duckdb'))).getRowObjectsJson()).toEqual(
      [],
    );
    expect(await run()).toBe('This snapshot is here already. Nothing was loaded.');
    session.closeSync();
    own.closeSync();
  });
});
