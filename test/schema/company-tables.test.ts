/** What a declaration says holds of the company's rows as the selects give them, table by table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'pg';
import { tableSelect } from '../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../src/tables/all.ts';
import type { Table } from '../../src/tables/table.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { inAccount } from '../support/ledger-rows.ts';

type Cells = Readonly<Record<string, unknown>>;

const SELECTED = TABLES.filter(({ from }) => from !== null);
/** Filled in by the writer, the same in every row. */
const CONSTANT = new Set(['snapshot_id', 'schema_version']);
/** Columns that are never empty in the company, though they may be: by promise, or shown by the tests of the views. */
const ALWAYS_THERE: Readonly<Record<string, readonly string[]>> = {
  reported_value: ['basis'],
  value_inputs: ['value', 'source_type'],
  metric_readings: ['metric_name', 'observed_at'],
};
/** Values that no row of the company has: of the eight stages, those that nothing was decided in or paused from. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  'initiatives.previous_stage': [
    'identified',
    'reviewing',
    'implementing',
    'paused',
    'completed',
    'rejected',
    'dismissed',
  ],
  'portfolio_decisions.stage_before': [
    'identified',
    'reviewing',
    'paused',
    'completed',
    'rejected',
    'dismissed',
  ],
  'portfolio_decisions.stage_after': ['identified', 'reviewing', 'implementing', 'rejected', 'dismissed'],
};
/** The company, and one beside it. */
const ACCOUNTS = [1n, 2n];

let database: TestDatabase;
let reader: Client;
const held = new Map<string, readonly Cells[]>();
beforeAll(async () => {
  database = await createDatabase('template_company');
  reader = await database.client('cf_reader');
  for (const account of ACCOUNTS) {
    for (const { name } of SELECTED) {
      // 2026-07-15T02:00:00Z: 20,649 days after 1970, and two hours.
      const generated_at = 20_649n * 86_400_000_000n + 7_200_000_000n;
      const select = tableSelect(name, { account_id: account, generated_at });
      const { rows } = await inAccount(reader, account, () => reader.query<Cells>(select));
      held.set(`${account} ${name}`, rows);
    }
  }
});
afterAll(() => database.drop());

const rowsOf = (account: bigint, name: string): readonly Cells[] => held.get(`${account} ${name}`) ?? [];
const columnsOf = (table: Table) => table.columns.filter(({ name }) => !CONSTANT.has(name));

describe.each(SELECTED)("the company's rows of $name", (table) => {
  test('give each column a value in one of them', () => {
    const rows = rowsOf(1n, table.name);
    expect(rows.length).toBeGreaterThan(0);
    const never = columnsOf(table).filter(({ name }) => rows.every((row) => row[name] === null));
    expect(never.map(({ name }) => name)).toEqual([]);
  });

  test('leave empty, somewhere, only columns that may be empty', () => {
    const missing = ACCOUNTS.flatMap((account) =>
      rowsOf(account, table.name).flatMap((row) =>
        columnsOf(table).filter(({ name, nullable }) => !nullable && row[name] === null),
      ),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
    const optional = columnsOf(table).filter(({ name, nullable }) => nullable && name !== 'currency');
    const always = optional.filter(({ name }) => rowsOf(1n, table.name).every((row) => row[name] !== null));
    expect(always.map(({ name }) => name)).toEqual(ALWAYS_THERE[table.name] ?? []);
  });

  test('have each key once', () => {
    for (const account of ACCOUNTS) {
      const rows = rowsOf(account, table.name);
      const keys = rows.map((row) => table.key.map((column) => String(row[column])).join(' '));
      expect(new Set(keys).size).toBe(rows.length);
    }
  });

  test('hold every value that the enumerations list, and no other', () => {
    for (const { name, values } of table.columns.filter((column) => column.values !== undefined)) {
      const found = new Set(rowsOf(1n, table.name).map((row) => row[name]));
      found.delete(null);
      const unseen = (values ?? []).filter((value) => !found.has(value));
      expect([name, [...found].filter((value) => !values?.includes(String(value)))]).toEqual([name, []]);
      expect([name, unseen]).toEqual([name, UNSEEN[`${table.name}.${name}`] ?? []]);
    }
  });

  test('refer only to existing rows of their own account', () => {
    for (const account of ACCOUNTS) {
      for (const { name, references } of columnsOf(table).filter(
        (column) => column.references !== undefined,
      )) {
        const key = TABLES.find((one) => one.name === references)?.key[0] ?? '';
        const there = new Set(rowsOf(account, references ?? '').map((row) => row[key]));
        const dangling = rowsOf(account, table.name)
          .map((row) => row[name])
          .filter((id) => id !== null && !there.has(id));
        expect([name, dangling]).toEqual([name, []]);
      }
    }
  });

  test('are shared with no other account', () => {
    const [own, other] = ACCOUNTS.map((account) => new Set(rowsOf(account, table.name).map(keyText)));
    expect([...(own ?? [])].filter((row) => other?.has(row))).toEqual([]);
  });
});

function keyText(row: Cells): string {
  return Object.values(row).map(String).join('|');
}
