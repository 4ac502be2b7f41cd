/** Checks of the companion tables' audit, each on a few rows written by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CheckBench, openChecks } from './check-bench.ts';

let bench: CheckBench;
beforeAll(async () => {
  bench = await openChecks('companions/audit');
});
afterAll(() => bench.close());

/** What a check finds in these tables. */
const findings = (check: string, tables: string) => bench.findings(check, tables);

it('rows of a list of which the ledger has none are found', async () => {
  const lists = ['initiatives', 'metrics', 'observations', 'integrations']
    .map((name) => `create or replace table api_${name} (id bigint, updated_at timestamptz);`)
    .join('\n');
  const tables = `${lists}
    create or replace table api_cost_entries (id bigint, updated_at timestamptz, amount_cents bigint);
    create or replace table api_value_entries (id bigint, updated_at timestamptz, amount_cents bigint);
    create or replace table api_decisions (id bigint, updated_at timestamptz, cash_value_cents bigint);
    create or replace table api_ai_usage (id bigint, updated_at timestamptz, cost_cents bigint);
    create or replace table api_vendor_names (vendor_id bigint);
    create or replace table control_rows (name varchar, rows varchar, ids varchar, changes varchar, amount_cents varchar);
    insert into api_cost_entries values (5, '1970-01-01 00:00:01Z', 300);`;
  expect(await findings('20-check-control', tables)).toEqual([
    { at: 'api_cost_entries the file amount_cents', expected: null, found: '300' },
    { at: 'api_cost_entries the file changes', expected: null, found: '1000000' },
    { at: 'api_cost_entries the file ids', expected: null, found: '5' },
    { at: 'api_cost_entries the file rows', expected: null, found: '1' },
  ]);
});

/** A row of each list: the table, the columns of its id, time of change and amount, and what they hold. */
const LISTS = [
  ['initiatives', 'id', 'updated_at', null],
  ['cost_entries', 'id', 'updated_at', 'amount_cents'],
  ['value_entries', 'id', 'updated_at', 'amount_cents'],
  ['metrics', 'id', 'updated_at', null],
  ['observations', 'id', 'updated_at', null],
  ['decisions', 'id', 'updated_at', 'cash_value_cents'],
  ['integrations', 'id', 'updated_at', null],
  ['ai_usage', 'id', 'updated_at', 'cost_cents'],
  ['vendor_names', 'vendor_id', null, null],
] as const;
const LIST_ROWS = LISTS.map(([name, id, changed, amount], index) => {
  const cells = [`${index + 1}::bigint as ${id}`];
  if (changed !== null)
    cells.push(`timestamptz '1970-01-01 00:00:00Z' + interval '${index + 1} microseconds' as ${changed}`);
  if (amount !== null) cells.push(`${index + 1}00::bigint as ${amount}`);
  // Two rows each: their ids, times and amounts add up.
  return `create or replace table api_${name} as select ${cells.join(', ')} from range(2);`;
}).join('\n');

const figuresOf = (index: number): Readonly<Record<string, string>> => {
  const [, , changed, amount] = LISTS[index] ?? [];
  return {
    amount_cents: amount === null ? '0' : `${2 * (index + 1)}00`,
    changes: changed === null ? '0' : String(2 * (index + 1)),
    ids: String(2 * (index + 1)),
    rows: '2',
  };
};
const control = (of: (index: number) => Readonly<Record<string, string>>): string =>
  `create or replace table control_rows as from (values ${LISTS.map(([name], index) => {
    const { rows, ids, changes, amount_cents } = of(index);
    return `('api_${name}', '${rows}', '${ids}', '${changes}', '${amount_cents}')`;
  }).join(', ')}) as totals (name, rows, ids, changes, amount_cents)`;

it('each list that has the totals of the ledger is sound, and each of its four totals is compared', async () => {
  expect(await findings('20-check-control', `${LIST_ROWS} ${control(figuresOf)}`)).toEqual([]);
  const others = control(() => ({ rows: '9', ids: '99', changes: '999', amount_cents: '9999' }));
  const expected: Readonly<Record<string, string>> = {
    rows: '9',
    ids: '99',
    changes: '999',
    amount_cents: '9999',
  };
  const found = await findings('20-check-control', `${LIST_ROWS} ${others}`);
  expect(found).toEqual(
    LISTS.map(([name], index) => ({ name, index }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(({ name, index }) =>
        Object.entries(figuresOf(index)).map(([figure, held]) => ({
          at: `api_${name} the file ${figure}`,
          expected: expected[figure],
          found: held,
        })),
      ),
  );
});

const BUDGETS = (
  spend: string,
): string => `create or replace table snapshot as select date '2026-07-15' as as_of;
  create or replace table budget_vs_actual as from (values
    (7, date '2026-07-15', 100, 50, 25), (7, date '2026-07-14', 1, 1, 1), (8, date '2026-07-15', 0, 0, 3),
    (9, date '2026-07-15', 0, 0, 0)
  ) as rows (initiative_id, as_of, capex_actual_cents, opex_actual_cents, spent_before_budget_cents);
  create or replace table api_budget_spend as from (values ${spend}) as rows (initiative_id, capex_cents, opex_cents);`;

it.each([
  ['the same spend over two months, and none', '(7, 100, 0), (7, 0, 75), (8, 3, 0)', []],
  ['a cent less', '(7, 100, 50), (7, 0, 24), (8, 3, 0)', [['7', '175', '174']]],
  ['an initiative lost whole', '(7, 100, 75)', [['8', '3', '0']]],
  ['spend of an initiative without any', '(7, 100, 75), (8, 0, 3), (9, 1, 0)', [['9', '0', '1']]],
])('the spend of budgets on the day of the snapshot is compared: %s', async (_, spend, expected) => {
  expect(await findings('22-check-spend', BUDGETS(spend))).toEqual(
    expected.map(([id, cents, held]) => ({
      at: `api_budget_spend initiative_id ${id} spent_cents`,
      expected: cents,
      found: held,
    })),
  );
});

const planTables = (plan: string): string => `create or replace table initiatives as from (values
    (1, 'EUR'), (2, 'USD'), (3, 'EUR')) as rows (initiative_id, currency);
  create or replace table reported_value as from (values
    (1, date '2026-03-01', 'EUR', 'cost_savings', 100), (1, date '2026-03-01', 'EUR', 'capacity_realized', 50),
    (1, date '2026-03-01', 'EUR', 'capacity', 1000), (1, date '2026-04-01', 'EUR', 'cost_savings', 10),
    (1, date '2026-04-01', 'USD', 'cost_savings', 5), (1, null, 'EUR', 'revenue_gain', 7),
    (2, date '2026-03-01', 'USD', 'cost_savings', 9), (3, date '2026-03-01', 'EUR', 'capacity', 11)
  ) as rows (initiative_id, period_month, currency, entry_type, amount_cents);
  create or replace table api_plan_value as from (values ${plan}) as rows (initiative_id, month, cash_cents);`;

const planFaults = async (plan: string): Promise<readonly string[]> =>
  (await findings('25-check-plan-value', planTables(plan))).map(
    ({ at, expected, found: held }) =>
      `${at.slice('api_plan_value initiative_id '.length)}: ${String(expected)}, ${String(held)}`,
  );

it('the value in the currency of a plan is that of its months, each without capacity', async () => {
  const [march, april, undated] = [
    `(1, date '2026-03-01', 150)`,
    `(1, date '2026-04-01', 14)`,
    '(1, null, 7)',
  ];
  expect(await planFaults([march, april, undated].join())).toEqual([]);
  // A month with an amount in another currency may have any sum, or none where there is no rate.
  expect(await planFaults([march, undated].join())).toEqual([]);
  expect(await planFaults([`(1, date '2026-03-01', 151)`, '(1, null, 8)'].join())).toEqual([
    '1 cash_cents: 7, 8',
    '1 2026-03-01 cash_cents: 150, 151',
  ]);
  expect(await planFaults(april)).toEqual([
    '1 cash_cents: 7, no row',
    '1 2026-03-01 cash_cents: 150, no row',
  ]);
  const strange = [`(1, date '2026-05-01', 0)`, `(2, date '2026-03-01', 9)`, `(3, date '2026-03-01', 11)`];
  expect(await planFaults([march, april, undated, ...strange].join())).toEqual([
    '1 2026-05-01 cash_cents: no row, 0',
    '2 2026-03-01 cash_cents: no row, 9',
    '3 2026-03-01 cash_cents: no row, 11',
  ]);
});

it('each vendor of a cost or of AI spend has a name, once in the findings', async () => {
  const found = await findings(
    '26-check-vendor-names',
    `create or replace table costs as from (values (1), (2), (2), (null)) as rows (vendor_id);
     create or replace table ai_spend as from (values ('Acme'), ('Other'), ('Other'), (null)) as rows (vendor_name);
     create or replace table api_vendor_names as from (values (1, 'Acme'), (3, 'Unused')) as rows (vendor_id, name);`,
  );
  expect(found).toEqual([
    { at: 'api_vendor_names vendor Other name', expected: 'the name in ai_spend', found: 'none' },
    { at: 'api_vendor_names vendor_id 2 name', expected: 'one', found: 'none' },
  ]);
});

/** The cells of a row of usage, as SQL. */
const USAGE = {
  month: `date '2026-04-01'`,
  currency: `'USD'`,
  is_ai: 'true',
  model: `'gpt-5'`,
  unit: `'requests'`,
  recorded: 'true',
  cost_class: `'usage'`,
  quantity: `'2'`,
  billed_cost: `'0.5'`,
  list_cost: `'1'`,
  priced_cost: `'1'`,
  cost_cents: '50',
};
const selectOf = (cells: Readonly<Record<string, string>>): string =>
  `select ${Object.entries(cells)
    .map(([name, sql]) => `${sql === 'null' ? 'null::varchar' : sql} as ${name}`)
    .join(', ')}`;
const sumOf = (cells: Readonly<Record<string, string>>): string =>
  selectOf({
    ...cells,
    has_list_cost: String(cells['list_cost'] !== 'null'),
    has_priced_cost: String(cells['priced_cost'] !== 'null'),
    partial: String(cells['unit'] !== 'null' && [cells['quantity'], cells['billed_cost']].includes('null')),
  });
const usageFindings = (rows: readonly string[], sums: readonly string[]) =>
  findings(
    '24-check-usage-sums',
    `create or replace table api_ai_usage as ${rows.join(' union all ')}; create or replace table api_usage_sums as ${sums.join(' union all ')};`,
  );

it.each([
  ['month', `date '2026-05-01'`],
  ['currency', `'EUR'`],
  ['is_ai', 'false'],
  ['model', `'gpt-6'`],
  ['model', 'null'],
  ['unit', `'images'`],
  ['unit', 'null'],
  ['recorded', 'false'],
  ['cost_class', `'credit'`],
  ['list_cost', 'null'],
  ['priced_cost', 'null'],
])('rows of usage with another %s, %s, have a sum of their own', async (column, value) => {
  const other = { ...USAGE, [column]: value };
  const rows = [selectOf(USAGE), selectOf(other)];
  expect(await usageFindings(rows, [sumOf(USAGE), sumOf(other)])).toEqual([]);
  const together = {
    ...USAGE,
    quantity: `'4'`,
    billed_cost: `'1'`,
    list_cost: `'2'`,
    priced_cost: `'2'`,
    cost_cents: '100',
  };
  expect(await usageFindings(rows, [sumOf(together)])).not.toEqual([]);
  expect(await usageFindings(rows, [sumOf(USAGE)])).not.toEqual([]);
});

const withQuantity = (written: string, times = 1) => ({
  ...USAGE,
  quantity: `'${written}'`,
  cost_cents: String(50 * times),
  billed_cost: `'${times / 2}'`,
  list_cost: `'${times}'`,
  priced_cost: `'${times}'`,
});

it.each([
  ['0.6', '0.7', '1.3'],
  ['-0.5', '0.25', '-0.25'],
  ['-1.5', '1', '-0.5'],
  ['1.5', '-2', '-0.5'],
  ['-0.75', '-0.75', '-1.5'],
  [
    '0.000000000000000000000000000001',
    '99999999999999999.999999999999999999999999999999',
    '100000000000000000',
  ],
  ['3', '-3', '0'],
])('exact decimals of usage are added up: %s and %s are %s', async (a, b, sum) => {
  const rows = [selectOf(withQuantity(a)), selectOf(withQuantity(b))];
  expect(await usageFindings(rows, [sumOf(withQuantity(sum, 2))])).toEqual([]);
  expect(
    await usageFindings(rows, [sumOf(withQuantity(`${sum.includes('.') ? sum : `${sum}.`}1`, 2))]),
  ).toHaveLength(1);
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
      `create or replace table api_ai_usage as select ${key}, ${sums};
       create or replace table api_usage_sums as select ${key}, ${sums}, false as has_list_cost, false as has_priced_cost,
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
        `create or replace table api_ai_usage as ${row('0.5', 50)} union all ${row('1.25', 125)};
         create or replace table api_usage_sums as select * replace (${said} as ${column}), true as has_list_cost,
           true as has_priced_cost, false as partial from (${row('1.75', 175)});`,
      );
    expect(await found("'1.75'")).toEqual([]);
    expect(await found("'1.76'")).toHaveLength(1);
    expect(await found('null::varchar')).toHaveLength(1);
  },
);
