/** The address of a view of rows: what it asks for, and how a wrong one is refused. */
import { describe, expect, it } from 'vitest';
import { addressOfForm } from '../../../src/serve/rows/sent-form.ts';
import { addressOf, readRowQuery, RESERVED } from '../../../src/serve/rows/row-query.ts';
import { MONEY_VIEWS, viewOf } from '../../../src/serve/rows/table-views.ts';
import { tableNamed, TABLES } from '../../../src/tables/all.ts';

function read(address: string, table = 'costs') {
  const named = tableNamed(table);
  if (named === undefined) throw new Error(`no table ${table}`);
  return readRowQuery(new URLSearchParams(address), named, named.columns);
}

function refusalOf(address: string, table?: string): string {
  try {
    read(address, table);
  } catch (error) {
    return String(error);
  }
  return 'accepted';
}

function valuesOf(address: string, table: string) {
  return [...(read(address, table).filters[0]?.values ?? [])];
}

describe('the address of a view', () => {
  it('names values of a column, a missing value, ranges, order, columns and page', () => {
    const query = read(
      '?vendor_name=OpenAI&vendor_name=&period_month_from=2026-04-01&created_at_through=2026-04-30&sort=-usd_amount_cents&columns=cost_entry_id,notes&page=3',
    );
    expect(
      query.filters.map(({ column, values, from, through }) => [column.name, [...values], from, through]),
    ).toEqual([
      ['vendor_name', ['OpenAI', null], null, null],
      ['period_month', [], '2026-04-01', null],
      // The last microsecond of 30 April 2026.
      ['created_at', [], null, 1_777_593_599_999_999n],
    ]);
    expect(query.sort).toMatchObject({ column: { name: 'usd_amount_cents' }, descending: true });
    expect(query.columns).toEqual(['cost_entry_id', 'notes']);
    expect(query.page).toBe(3);
  });

  it('is written again as it was read, and a change of filters leads to the first page', () => {
    const address = '?vendor_name=A+%26+B&cost_category=opex&sort=-period_month&columns=notes&page=2';
    expect(addressOf(read(address), { page: 2 })).toBe(address);
    expect(addressOf(read(address), { given: [] })).toBe('?sort=-period_month&columns=notes');
    expect(addressOf(read(''))).toBe('');
  });

  it('may name a month without its day where a column has months', () => {
    const [filter] = read(
      '?period_month=2026-04&period_month_from=2026-01&period_month_through=2026-12',
    ).filters;
    expect(filter).toMatchObject({ from: '2026-01-01', through: '2026-12-01' });
    expect([...(filter?.values ?? [])]).toEqual(['2026-04-01']);
    expect(valuesOf('?month=2026-04', 'accounting_periods')).toEqual(['2026-04-01']);
  });

  it('a column wins over a range of another one', () => {
    const [filter] = read('?usd_rate_from=2026-04-01').filters;
    expect([filter?.column.name, [...(filter?.values ?? [])]]).toEqual(['usd_rate_from', ['2026-04-01']]);
  });

  it.each([
    [
      '?vendro=1',
      'costs has no column "vendro" in this snapshot. Its columns are snapshot_id, cost_entry_id',
    ],
    ['?sort=-nothing', 'sort: costs has no column "nothing"'],
    ['?columns=notes,nothing', 'columns: costs has no column "nothing"'],
    ['?page=0', 'The parameter page must be a whole number from 1.'],
    ['?page=1&page=2', 'The parameter page was given more than once.'],
    ['?cost_category=OPEX', 'The parameter cost_category: cost_category is one of capex, opex.'],
    ['?usd_amount_cents_from=12.50', 'must be a whole number of cents, for example 125000'],
    ['?usd_amount_cents=9223372036854775808', 'must be a whole number of cents'],
    [
      '?period_month=2026-02-30',
      'must be a month, for example 2026-04, because period_month is of type date',
    ],
    ['?period_month=2026-13', 'must be a month, for example 2026-04'],
    ['?usd_rate_from=2026-04', 'must be a day, for example 2026-04-01'],
    ['?updated_at_from=yesterday', 'must be a UTC day or time'],
    ['?is_estimated=yes', 'must be true or false'],
    ['?is_estimated_from=true', 'is_estimated has no range: its values have no order.'],
    ['?cost_entry_id_from=', 'The parameter cost_entry_id_from is empty.'],
    [
      '?cost_entry_id_from=1&cost_entry_id_from=2',
      'The parameter cost_entry_id_from was given more than once.',
    ],
    [`?${'initiative_id=1&'.repeat(101)}`, 'A view has at most 100 filters.'],
  ])('%s is refused in words', (address, words) => {
    expect(refusalOf(address)).toContain(words);
  });

  it('has numbers and times of every accepted form', () => {
    expect(valuesOf('?value=-1.5e3', 'metric_readings')).toEqual([-1_500]);
    expect(valuesOf('?observed_at=2026-04-01', 'metric_readings')).toEqual([1_775_001_600_000_000n]);
    expect(valuesOf('?observed_at=2026-04-01T00:00:01.5Z', 'metric_readings')).toEqual([
      1_775_001_601_500_000n,
    ]);
    expect(refusalOf('?value=NaN', 'metric_readings')).toContain('must be a number, for example 0.25');
  });

  it('of a form adds its filter to the present filters, and names the chosen columns', () => {
    const table = tableNamed('costs');
    if (table === undefined) throw new Error('no table costs');
    const idNames = { initiatives: new Map(), vendors: new Map() };
    const view = { table, columns: table.columns, idNames, reasons: undefined, spellings: [] };
    const led = (sent: string) => addressOfForm(new URLSearchParams(sent), view);
    const add = (column: string, how: string, value: string) =>
      led(`cost_category=opex&sort=vendor_name&add_column=${column}&add_how=${how}&add_value=${value}`);
    const before = '?cost_category=opex&sort=vendor_name';
    expect(add('vendor_name', 'is', 'OpenAI')).toBe(`${before}&vendor_name=OpenAI`);
    expect(add('period_month', 'through', '2026-04-01')).toBe(`${before}&period_month_through=2026-04-01`);
    expect(add('locked', 'is', 'yes')).toBe(`${before}&locked=true`);
    expect(add('notes', 'empty', '')).toBe(`${before}&notes=`);
    expect(add('notes', 'is', '')).toBe(before);
    // A column has one bound at each end: the new one takes the place of the old one.
    expect(
      led(
        'period_month_from=2026-01-01&period_month_through=2026-06-01&add_column=period_month&add_how=from&add_value=2026-03-01',
      ),
    ).toBe('?period_month_from=2026-03-01&period_month_through=2026-06-01');
    expect(led('vendor_name=OpenAI&add_column=vendor_name&add_how=is&add_value=Jira')).toBe(
      '?vendor_name=OpenAI&vendor_name=Jira',
    );
    expect(led('show_column=notes&show_column=locked')).toBe('?columns=notes%2Clocked');
    expect(led('vendor_name=OpenAI')).toBeNull();
  });
});

describe('the views of the tables', () => {
  it('of money are of published tables', () => {
    expect(Object.keys(MONEY_VIEWS).filter((name) => tableNamed(name) === undefined)).toEqual([]);
  });

  it('name columns that every table has, and no parameter has the name of a column', () => {
    for (const table of TABLES) {
      const { columns } = table;
      // The one column of a view that its file does not have: the page makes it from others.
      const made = table.name === 'ai_spend' ? ['biller'] : [];
      const names = [...columns.map((column) => column.name), ...made];
      const view = viewOf(table);
      const used = [...view.columns, ...view.facets, ...(view.amount === null ? [] : [view.amount])];
      expect(names).toEqual(expect.arrayContaining(used));
      expect(view.columns.length).toBeGreaterThan(4);
      expect(names.filter((each) => (RESERVED as readonly string[]).includes(each))).toEqual([]);
    }
  });
});
