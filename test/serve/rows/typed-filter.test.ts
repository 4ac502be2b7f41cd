/** A filter that people type: whatever the table shows, typed into the form, finds the row that shows it. */
import { describe, expect, it } from 'vitest';
import { cellContent, hasOwnCurrency, isShare, shownColumn } from '../../../src/serve/rows/row-cells.ts';
import { columnNamed, readRowQuery } from '../../../src/serve/rows/row-query.ts';
import { addressOfForm } from '../../../src/serve/rows/sent-form.ts';
import { filterRows } from '../../../src/serve/rows/filter-rows.ts';
import { isSpelled, WAYS_TO_COMPARE } from '../../../src/serve/rows/typed-filter.ts';
import type { FieldValue } from '../../../src/snapshot/read/rows.ts';
import type { Names } from '../../../src/snapshot/read/sheet-cells.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { Column, Table } from '../../../src/tables/table.ts';

const NAMES: Names = {
  initiatives: new Map([
    [101n, 'Quote drafting assistant'],
    [102n, 'Sichtprüfung Linie 3'],
    [103n, 'Quote archive'],
  ]),
  vendors: new Map([
    [7n, 'OpenAI'],
    [8n, 'Acme & Söhne'],
  ]),
};
/** One value of each kind. 1,775,088,000,123,456 µs is 2026-04-02 00:00:00.123456 UTC. */
const SAMPLES: Readonly<Record<Column['kind'], FieldValue>> = {
  string: 'Müller & Söhne',
  text: 'A, "quoted" text',
  json: '{"a":1}',
  integer: -12,
  number: -0.25,
  boolean: false,
  date: '2026-04-01',
  timestamp: 1_775_088_000_123_456n,
  id: 4_711n,
  cents: -123_456n,
};

function sampleOf({ name, kind, values = [], references }: Column): FieldValue {
  if (name === 'vendor_id') return 8n;
  if (references === 'initiatives') return 102n;
  return values[0] ?? SAMPLES[kind];
}

const COLUMNS = TABLES.flatMap((table) =>
  table.columns.map((column) => [`${table.name}.${column.name}`, table, column] as const),
);

/** The address that the form leads to; a refusal is its message. */
function led(
  table: Table,
  column: string,
  how: string,
  value: string,
  known: Partial<Parameters<typeof addressOfForm>[1]> = {},
): string {
  const sent = new URLSearchParams({ add_column: column, add_how: how, add_value: value });
  const view = { table, columns: table.columns, idNames: NAMES, reasons: undefined, spellings: [] };
  const answer = addressOfForm(sent, { ...view, ...known });
  return typeof answer === 'string' ? answer : (answer?.message ?? '');
}

/** Whether the view of that address shows a row with the value. */
async function shows(table: Table, column: Column, address: string, value: FieldValue): Promise<boolean> {
  const query = readRowQuery(new URLSearchParams(address), table, table.columns);
  const own = query.filters.filter((filter) => filter.column === column);
  const rows = {
    count: 1,
    columns: table.columns,
    groups: [{ first: 0, rows: 1, least: () => null, greatest: () => null }],
    turn: () => Promise.resolve(),
    async *read(names: readonly string[]) {
      yield await Promise.resolve({ first: 0, rows: 1, columns: names.map(() => [value]) });
    },
  };
  const of = { table: table.name, columns: [], facets: [], amount: null };
  return (await filterRows(rows, { filters: own, sort: null }, of)).count === 1;
}

/** What a reader sees in the cell of the column. */
async function cellOf(table: Table, column: Column, value: FieldValue): Promise<string> {
  const currency = hasOwnCurrency(column, table.columns) ? 'EUR' : null;
  const content = cellContent({
    column,
    value,
    currency,
    idNames: NAMES,
    table,
    to: '',
    standing: () => 'no rate yet',
  });
  return String(await content)
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();
}

function columnOf({ columns, name: table }: Table, name: string): Column {
  const column = columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`${table} has no column ${name}`);
  return column;
}

function tableOf(name: string): Table {
  const table = TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

describe.each(COLUMNS)('the filter of %s', (_, table, column) => {
  it('finds the shown value by "is", and hides it by "is not" where that can be asked', async () => {
    const value = sampleOf(column);
    const typed = await cellOf(table, column, value);
    expect(await shows(table, column, led(table, column.name, 'is', typed), value)).toBe(true);
    const others = led(table, column.name, 'not', typed);
    const isRefused = others.includes('cannot be compared by is not');
    // A moment and a percentage are shown rounded: each is many values.
    expect(isRefused).toBe(column.kind === 'timestamp' || isShare(column));
    expect(isRefused || !(await shows(table, column, others, value))).toBe(true);
  });

  it('finds a missing value by the word of the cell, by "is empty", and no other way', async () => {
    const isAWord = column.values?.includes('none') ?? false;
    expect(await shows(table, column, led(table, column.name, 'is', 'none'), null)).toBe(!isAWord);
    expect(await shows(table, column, led(table, column.name, 'empty', ''), null)).toBe(true);
    expect(await shows(table, column, led(table, column.name, 'filled', ''), null)).toBe(false);
    expect(await shows(table, column, led(table, column.name, 'filled', ''), sampleOf(column))).toBe(true);
  });

  it('has a name of its own, and no other column takes its parameters', () => {
    const named = table.columns.filter((each) => shownColumn(each) === shownColumn(column));
    expect(named.map(({ name }) => name)).toEqual([column.name]);
    for (const end of ['not', 'contains'] as const) {
      expect(columnNamed(`${column.name}_${end}`, table.columns)).toEqual({ column, end });
    }
  });
});

describe('the form of a filter', () => {
  const costs = tableOf('costs');

  it.each([
    ['1000', '100000'],
    ['$1,000', '100000'],
    ['US$ 1,000.5', '100050'],
    ['1,000.05 USD', '100005'],
    ['−\u{2060}$40.00', '-4000'],
    ['-$40', '-4000'],
    ['$-40', '-4000'],
    ['0.01', '1'],
    ['-0', '0'],
    // 2^63 - 1 cents.
    ['92,233,720,368,547,758.07', '9223372036854775807'],
  ])('reads the amount %s', (typed, cents) => {
    expect(led(costs, 'usd_amount_cents', 'from', typed)).toBe(`?usd_amount_cents_from=${cents}`);
  });

  it.each([
    'ten',
    '1.250,00',
    '12.505',
    '1,00',
    '1,2345.00',
    '--1',
    '-$-1',
    '1e3',
    '92233720368547758.08',
    '(5)',
  ])('refuses the amount %s in the words of the form', (typed) => {
    expect(led(costs, 'usd_amount_cents', 'is', typed)).toBe(
      'Dollars needs an amount with at most two decimals, for example 1,250.00.',
    );
  });

  it('takes the words that stand in the place of dollars, and refuses what they cannot say', () => {
    const cost = { table: 'cost_entries', entries: 1 } as const;
    const reasons = [
      { ...cost, currency: 'KES', reason: 'before_first_rate' },
      { ...cost, currency: 'EUR', reason: 'waiting' },
      // Two causes: the cells name both.
      { ...cost, currency: 'CHF', reason: 'waiting' },
      { ...cost, currency: 'CHF', reason: 'too_large' },
      { ...cost, table: 'value_entries', currency: 'XAU', reason: 'no_period' },
    ] as const;
    const dollars = (how: string, text: string, of: typeof reasons | undefined = reasons): string =>
      led(costs, 'usd_amount_cents', how, text, { reasons: of });
    expect(dollars('is', 'never converted')).toBe('?usd_amount_cents=&currency=CHF&currency=KES');
    expect(dollars('is', 'No rate yet')).toBe('?usd_amount_cents=&currency=CHF&currency=EUR');
    expect(dollars('is', 'no rate yet or never converted')).toBe('?usd_amount_cents=&currency=CHF');
    expect(dollars('is', 'no dollar figure')).toBe('?usd_amount_cents=');
    // No row of this snapshot waits for a conversion alone: the filter would show rows of other causes.
    expect(dollars('is', 'Not converted yet')).toBe(
      'Dollars has “Not converted yet” in no row. Use is empty for all rows without dollars.',
    );
    expect(led(costs, 'usd_amount_cents', 'is', 'no dollar figure')).toBe('?usd_amount_cents=');
    expect(dollars('not', 'never converted')).toContain('by is alone. Or use is not empty.');
  });

  it('takes upper and lower case of a text for the same, as the table writes it', () => {
    const spellings = ['tokens', 'TOKENS'];
    expect(led(costs, 'cost_type', 'is', 'Tokens', { spellings })).toBe('?cost_type=tokens&cost_type=TOKENS');
    expect(led(costs, 'cost_type', 'not', 'Tokens', { spellings })).toBe(
      '?cost_type_not=tokens&cost_type_not=TOKENS',
    );
    // The very text of a row is that text alone.
    expect(led(costs, 'cost_type', 'is', 'tokens', { spellings })).toBe('?cost_type=tokens');
    expect(led(costs, 'cost_type', 'contains', 'Tokens', { spellings })).toBe('?cost_type_contains=Tokens');
    expect(led(costs, 'cost_type', 'is', 'unheard of')).toBe('?cost_type=unheard+of');
  });

  it('looks for other spellings of a text alone: not of JSON, of listed values or of amounts', () => {
    expect(isSpelled(columnOf(costs, 'cost_type'), 'is')).toBe(true);
    expect(isSpelled(columnOf(costs, 'cost_type'), 'not')).toBe(true);
    expect(isSpelled(columnOf(costs, 'cost_type'), 'contains')).toBe(false);
    expect(isSpelled(columnOf(tableOf('metric_readings'), 'dimensions'), 'is')).toBe(false);
    expect(isSpelled(columnOf(costs, 'cost_category'), 'is')).toBe(false);
    expect(isSpelled(columnOf(costs, 'amount_cents'), 'is')).toBe(false);
  });

  it('takes the currency of an amount as a filter where rows have a currency, and refuses it where all are dollars', () => {
    expect(led(costs, 'amount_cents', 'through', 'EUR 600.00')).toBe(
      '?amount_cents_through=60000&currency=EUR',
    );
    expect(led(costs, 'amount_cents', 'through', '600.00 EUR')).toBe(
      '?amount_cents_through=60000&currency=EUR',
    );
    expect(led(costs, 'amount_cents', 'is', '$5')).toBe('?amount_cents=500&currency=USD');
    expect(led(costs, 'usd_amount_cents', 'is', 'EUR 5')).toContain('Dollars has US dollars only.');
  });

  it('reads months, words for yes, and listed values as people write them', () => {
    for (const typed of ['Apr 2026', 'april 2026', '2026-04'])
      expect(led(costs, 'period_month', 'from', typed)).toBe('?period_month_from=2026-04');
    expect(led(costs, 'locked', 'not', 'Yes')).toBe('?locked_not=true');
    expect(led(costs, 'cost_category', 'is', 'OPEX')).toBe('?cost_category=opex');
    expect(led(costs, 'cost_category', 'is', 'other')).toBe('Cost category must be one of capex, opex.');
    expect(led(costs, 'period_month', 'is', '2026-13')).toContain('Period month must be a month');
  });

  it('names initiatives by title, by a part of a title, or by id', () => {
    expect(led(costs, 'initiative_id', 'is', 'sichtprüfung linie 3')).toBe('?initiative_id=102');
    expect(led(costs, 'initiative_id', 'contains', 'quote')).toBe('?initiative_id=101&initiative_id=103');
    expect(led(costs, 'initiative_id', 'not', 'Quote archive')).toBe('?initiative_id_not=103');
    expect(led(costs, 'initiative_id', 'is', '999')).toBe('?initiative_id=999');
    expect(led(costs, 'initiative_id', 'is', 'Unknown')).toContain('no initiative of this snapshot');
    expect(led(costs, 'initiative_id', 'from', 'Quote')).toBe(
      'Initiative from compares ids, which are whole numbers. Use is for a title.',
    );
  });

  it('names vendors by name, by a part of a name, or by id', () => {
    expect(led(costs, 'vendor_id', 'is', 'openai')).toBe('?vendor_id=7');
    expect(led(costs, 'vendor_id', 'contains', 'SÖHNE')).toBe('?vendor_id=8');
    expect(led(costs, 'vendor_id', 'not', '99')).toBe('?vendor_id_not=99');
    expect(led(costs, 'vendor_id', 'is', 'OpenAI LLC')).toContain(
      'is a name: no vendor of this snapshot has it. Write the name as the table shows it',
    );
  });

  it('finds a part of a text in any case, and refuses parts of what is no text', async () => {
    const [column] = costs.columns.filter(({ name }) => name === 'vendor_name');
    if (column === undefined) throw new Error('no vendor');
    const address = led(costs, 'vendor_name', 'contains', 'SÖHNE');
    expect(await shows(costs, column, address, 'Müller & Söhne')).toBe(true);
    expect(await shows(costs, column, address, 'OpenAI')).toBe(false);
    expect(await shows(costs, column, address, null)).toBe(false);
    expect(led(costs, 'locked', 'contains', 'y')).toContain('Locked is no text.');
    expect(led(costs, 'locked', 'from', 'yes')).toContain('Locked has no range');
  });

  it('finds the moments of a shown minute and of a day', () => {
    expect(led(costs, 'created_at', 'is', '2026-04-02 10:15 UTC')).toBe(
      '?created_at_from=2026-04-02T10%3A15%3A00Z&created_at_through=2026-04-02T10%3A15%3A59.999999Z',
    );
    expect(led(costs, 'created_at', 'is', '2026-04-02')).toBe(
      '?created_at_from=2026-04-02&created_at_through=2026-04-02',
    );
  });

  it('finds the ratios that are shown as a percentage, by as many decimals as were typed', () => {
    const totals = tableOf('reported_totals');
    expect(led(totals, 'roi', 'is', '33.1 %')).toBe('?roi_from=0.3305&roi_through=0.3315');
    expect(led(totals, 'roi', 'is', '−25 %')).toBe('?roi_from=-0.255&roi_through=-0.245');
    expect(led(totals, 'roi', 'from', '33.10 %')).toBe('?roi_from=0.33095');
  });

  it('offers each way to compare by the word that the filter shows', () => {
    expect(Object.values(WAYS_TO_COMPARE)).toEqual([
      'is',
      'is not',
      'contains',
      'from',
      'through',
      'is empty',
      'is not empty',
    ]);
  });
});
