/** Checks of the companion tables' audit, each on a few rows written by hand. */
import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';

const AUDIT = new URL('../../schema/companions/audit/', import.meta.url);

/** What a check finds in these tables. */
async function findings(check: string, tables: string) {
  const views = await readFile(new URL('00-view-companions.sql', AUDIT), 'utf8');
  const macros = [...views.matchAll(/^create macro [^;]*;/gm)].join('\n');
  const sql = await readFile(new URL(`${check}.sql`, AUDIT), 'utf8');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`set timezone = 'UTC'; ${macros}${tables}`);
    const found = await connection.runAndReadAll(sql);
    return found.getRowObjects().map(({ subject, place, figure, expected, found: held }) => ({
      at: `${String(subject)} ${String(place)} ${String(figure)}`,
      expected,
      found: held,
    }));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it('rows of a list of which the ledger has none are found', async () => {
  const lists = ['initiatives', 'metrics', 'observations', 'integrations']
    .map((name) => `create table api_${name} (id bigint, updated_at timestamptz);`)
    .join('\n');
  const tables = `${lists}
    create table api_cost_entries (id bigint, updated_at timestamptz, amount_cents bigint);
    create table api_value_entries (id bigint, updated_at timestamptz, amount_cents bigint);
    create table api_decisions (id bigint, updated_at timestamptz, cash_value_cents bigint);
    create table api_ai_usage (id bigint, updated_at timestamptz, cost_cents bigint);
    create table api_vendor_names (vendor_id bigint);
    create table control_rows (name varchar, rows varchar, ids varchar, changes varchar, amount_cents varchar);
    insert into api_cost_entries values (5, '1970-01-01 00:00:01Z', 300);`;
  expect(await findings('20-check-control', tables)).toEqual([
    { at: 'api_cost_entries the file amount_cents', expected: null, found: '300' },
    { at: 'api_cost_entries the file changes', expected: null, found: '1000000' },
    { at: 'api_cost_entries the file ids', expected: null, found: '5' },
    { at: 'api_cost_entries the file rows', expected: null, found: '1' },
  ]);
});

it('another spend is found with both amounts that are compared', async () => {
  const tables = `create table snapshot as select date '2026-07-15' as as_of;
    create table budget_vs_actual as select 7 as initiative_id, date '2026-07-15' as as_of, 100 as capex_actual_cents,
      50 as opex_actual_cents, 25 as spent_before_budget_cents;
    create table api_budget_spend as from (values (7, 100, 50), (7, 0, 24)) as rows (initiative_id, capex_cents, opex_cents);`;
  expect(await findings('22-check-spend', tables)).toEqual([
    { at: 'api_budget_spend initiative_id 7 spent_cents', expected: '175', found: '174' },
  ]);
});

it.each([
  ["'2'", 'null', true],
  ['null', "'0.5'", true],
  ["'2'", "'0.5'", false],
])('a sum of usage with the quantity %s and the cost %s is partial: %s', async (quantity, cost, partial) => {
  const key =
    "date '2026-04-01' as month, 'USD' as currency, true as is_ai, 'gpt-5' as model, 'requests' as unit";
  const sums = `true as recorded, 'usage' as cost_class, ${quantity}::varchar as quantity, ${cost}::varchar as billed_cost,
    null::varchar as list_cost, null::varchar as priced_cost, 50 as cost_cents`;
  const found = (said: boolean) =>
    findings(
      '24-check-usage-sums',
      `create table api_ai_usage as select ${key}, ${sums};
       create table api_usage_sums as select ${key}, ${sums}, false as has_list_cost, false as has_priced_cost,
         ${said} as partial;`,
    );
  expect(await found(partial)).toEqual([]);
  expect(await found(!partial)).toHaveLength(1);
});

it.each(['quantity', 'billed_cost', 'list_cost', 'priced_cost'])(
  'a sum of usage whose %s is not the sum of its rows is found, and so is an empty sum',
  async (column) => {
    const key = `date '2026-04-01' as month, 'USD' as currency, true as is_ai, 'gpt-5' as model, 'requests' as unit,
      true as recorded, 'usage' as cost_class`;
    const measures = ['quantity', 'billed_cost', 'list_cost', 'priced_cost'];
    const row = (written: string, cents: number): string =>
      `select ${key}, ${measures.map((each) => `'${written}'::varchar as ${each}`).join(', ')}, ${cents} as cost_cents`;
    // 0.5 and 1.25 are 1.75.
    const found = (said: string) =>
      findings(
        '24-check-usage-sums',
        `create table api_ai_usage as ${row('0.5', 50)} union all ${row('1.25', 125)};
         create table api_usage_sums as select * replace (${said} as ${column}), true as has_list_cost,
           true as has_priced_cost, false as partial from (${row('1.75', 175)});`,
      );
    expect(await found("'1.75'")).toEqual([]);
    expect(await found("'1.76'")).toHaveLength(1);
    expect(await found('null::varchar')).toHaveLength(1);
  },
);
