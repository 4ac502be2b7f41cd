/** A pulled snapshot loaded into DuckDB and PostgreSQL: what each of both loads and keeps, with the smallest files that can be. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELD_KINDS, type FieldKind } from '../../src/fields.ts';
import { accounting_periods } from '../../src/tables/accounting_periods.ts';
import { initiatives } from '../../src/tables/initiatives.ts';
import { snapshot } from '../../src/tables/snapshot.ts';
import type { Table } from '../../src/tables/table.ts';
import { loadIntoDuckdb } from '../../src/warehouse/into-duckdb.ts';
import { loadIntoPostgres } from '../../src/warehouse/into-postgres.ts';
import { type PulledSnapshot, textOf } from '../../src/warehouse/pulled-files.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
let file: string;
let instance: DuckDBInstance;
let writer: DuckDBConnection;
beforeAll(async () => {
  database = await createDatabase('template_ledger');
  instance = await DuckDBInstance.create(':memory:');
  writer = await instance.connect();
  folder = await mkdtemp(join(tmpdir(), "crossfoot's own 'pull'-"));
  file = join(folder, 'figures.duckdb');
});
afterAll(async () => {
  writer.closeSync();
  instance.closeSync();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Cells that differ from the least ones, as SQL. */
type Cells = Readonly<Record<string, string>>;
const LEAST: Readonly<Record<FieldKind, string>> = {
  id: '1',
  cents: '1',
  integer: '1',
  number: '1',
  boolean: 'false',
  date: "'2026-01-01'",
  timestamp: "'2026-01-01 00:00:00Z'",
  string: "'x'",
  text: "'x'",
  json: "'{}'",
};

function rowOf({ columns }: Table, cells: Cells, without: readonly string[] = []): string {
  const parts = columns
    .filter(({ name }) => !without.includes(name))
    .map(({ name, kind, nullable }) => {
      const cell = cells[name] ?? (nullable ? 'null' : LEAST[kind]);
      return `${cell}::${FIELD_KINDS[kind].duckdb} as ${name}`;
    });
  return `select ${parts.join(', ')}`;
}

interface Written {
  /** Rows of initiatives; one if omitted. */
  readonly rows?: readonly Cells[];
  /** Columns of initiatives that its file lacks. */
  readonly without?: readonly string[];
  /** A further column that its file begins with. */
  readonly further?: string;
}

/** A pulled folder of three tables; the ids of the initiatives are the row numbers. */
async function pulled(
  snapshot_id: string,
  { rows = [{}], without = [], further }: Written = {},
): Promise<PulledSnapshot> {
  const own = await mkdtemp(join(folder, 'snapshot-'));
  const id = { snapshot_id: `'${snapshot_id}'` };
  const more = further === undefined ? '' : `'further' as ${further}, `;
  const selects: Readonly<Record<string, string>> = {
    snapshot: rowOf(snapshot, { ...id, account_id: '7' }),
    accounting_periods: rowOf(accounting_periods, id),
    initiatives: rows
      .map((cells, at) => rowOf(initiatives, { ...id, initiative_id: String(at + 1), ...cells }, without))
      .map((select) => select.replace('select ', `select ${more}`))
      .join(' union all '),
  };
  for (const [name, select] of Object.entries(selects))
    await writer.run(`copy (${select}) to ${textOf(join(own, `${name}.parquet`))} (format parquet)`);
  return { snapshot_id, folder: own, tables: Object.keys(selects) };
}

/** Asks the file: a load opens it itself, so that no test may hold it. */
async function askFile(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  await writer.run(`attach ${textOf(file)} as loaded; use loaded`);
  try {
    return (await writer.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    await writer.run('use memory; detach loaded');
  }
}

const MONDAY = '20260713T020000Z';
const TUESDAY = '20260714T020000Z';
const TARGETS = {
  duckdb: {
    load: (snapshot_of: PulledSnapshot, schema: string, history = false) =>
      loadIntoDuckdb(snapshot_of, { file, schema, history }),
    ask: askFile,
  },
  postgres: {
    load: (snapshot_of: PulledSnapshot, schema: string, history = false) =>
      loadIntoPostgres(snapshot_of, { url: database.adminUrl, schema, history, temporary: folder }),
    ask: async (sql: string) => {
      const admin = await database.admin();
      return (await admin.query<Record<string, unknown>>(sql)).rows;
    },
  },
};

describe.each(['duckdb', 'postgres'] as const)('a pulled snapshot loaded into %s', (target) => {
  const { load, ask } = TARGETS[target];
  const held = async (schema: string, table = 'snapshot') =>
    (await ask(`select snapshot_id from "${schema}".${table} order by 1`)).map((row) => row['snapshot_id']);

  it('is loaded once, replaces the rows of the one before, and counts in its schema alone', async () => {
    const [monday, tuesday] = [await pulled(MONDAY), await pulled(TUESDAY)];
    expect([await load(monday, 'one'), await load(monday, 'one')]).toEqual([true, false]);
    expect([await load(monday, 'two'), await load(tuesday, 'one')]).toEqual([true, true]);
    for (const table of ['snapshot', 'accounting_periods', 'initiatives']) {
      expect([table, await held('one', table)]).toEqual([table, [TUESDAY]]);
      expect([table, await held('two', table)]).toEqual([table, [MONDAY]]);
    }
  });

  it('is added to a history, whose tables get the columns that were added since', async () => {
    await load(await pulled(MONDAY), 'full');
    await load(await pulled(MONDAY), 'history', true);
    const added = ['department', 'owner_name'];
    for (const column of added) await ask(`alter table history.initiatives drop column ${column}`);
    const rows = [{ department: "'Sales'", owner_name: "'Ada'" }];
    await load(await pulled(TUESDAY, { rows }), 'history', true);
    expect(await held('history')).toEqual([MONDAY, TUESDAY]);
    expect(await ask(`select snapshot_id, ${added.join(', ')} from history.initiatives order by 1`)).toEqual([
      { snapshot_id: MONDAY, department: null, owner_name: null },
      { snapshot_id: TUESDAY, department: 'Sales', owner_name: 'Ada' },
    ]);
  });

  it('leaves the earlier snapshot whole if one of its rows is refused', async () => {
    await load(await pulled(MONDAY), 'kept');
    const twice = { initiative_id: '1' };
    await expect(load(await pulled(TUESDAY, { rows: [twice, twice] }), 'kept')).rejects.toThrow(
      /duplicate key/i,
    );
    for (const table of ['snapshot', 'accounting_periods', 'initiatives'])
      expect([table, await held('kept', table)]).toEqual([table, [MONDAY]]);
  });

  it('has empty texts and missing values apart, each value in its own column, whichever columns its file has', async () => {
    const rows = [{ department: "''", owner_name: String.raw`'\N'` }, { owner_name: "'null'" }];
    const files = { rows, without: ['business_unit'], further: 'a_column_of_tomorrow' };
    await load(await pulled(MONDAY, files), 'of "texts"');
    expect(
      await ask(
        'select department, owner_name, business_unit from "of ""texts""".initiatives order by initiative_id',
      ),
    ).toEqual([
      { department: '', owner_name: String.raw`\N`, business_unit: null },
      { department: null, owner_name: 'null', business_unit: null },
    ]);
  });
});

it('a load into a schema of PostgreSQL waits for another one into that schema', async () => {
  const [admin, other] = [await database.admin(), await database.admin()];
  await other.query("begin; select pg_advisory_xact_lock(hashtext('crossfoot pull waiting'))");
  const loading = TARGETS.postgres.load(await pulled(MONDAY), 'waiting');
  const waiting =
    "select from pg_stat_activity where application_name = 'crossfoot pull' and wait_event = 'advisory'";
  await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(1);
  await other.query('commit');
  expect(await loading).toBe(true);
});
