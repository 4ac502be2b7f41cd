/** Cells as they are staged: `--decimal` concerns texts alone, blanks are empty, and names lose blanks at their ends. */
import { expect, it } from 'vitest';
import type { LoadColumn, LoadTable } from '../../../src/ledger/staging/load-table.ts';
import type { DecimalSign } from '../../../src/ledger/staging/mode.ts';
import { type ReadCell, cellReader } from '../../../src/ledger/sources/cells.ts';

function column(name: string, base: string, more: Partial<LoadColumn> = {}): LoadColumn {
  const rules = { rule: null, rule_in_words: null, default: null, generated: null, meaning: null };
  return { name, type: base, base, notNull: false, identity: false, json: false, ...rules, ...more };
}

function table(name: string): LoadTable {
  const spelling = { column: 'a_id', target: 'ledger.a', loose: false, meaning: '' };
  return {
    schema: 'ledger',
    name,
    columns: [],
    key: [],
    uniques: [],
    checks: [],
    references: [],
    spellings: [
      { ...spelling, name: 'a_ref', by: 'load_ref' },
      { ...spelling, name: 'a_title', by: 'title' },
    ],
    settlers: [],
    immutable: false,
  };
}

interface Written {
  readonly isNumber?: boolean;
  readonly isAmount?: boolean;
  readonly decimal?: DecimalSign;
  readonly of?: string;
}

const read = (
  cell: string,
  of: LoadColumn,
  { isNumber = false, isAmount = false, decimal, of: name = 'a' }: Written = {},
): ReadCell => cellReader(table(name), of, { isAmount, decimal: decimal ?? null })(cell, isNumber);

const CENTS = column('amount_cents', 'bigint');
const NUMERICS = [
  column('value', 'double precision'),
  column('rate', 'numeric(20,10)'),
  column('share', 'numeric'),
];
const SIGNS = [undefined, 'comma', 'point'] as const;
const refused = { expected: expect.any(String) };

it('a number of ndjson or Parquet is the same with every --decimal', () => {
  for (const decimal of SIGNS) {
    const options = { isNumber: true, ...(decimal && { decimal }) };
    for (const numeric of NUMERICS)
      for (const [cell, plain = cell] of [
        ['0.125'],
        ['1.234'],
        ['-1234.567'],
        ['1e-7', '0.0000001'],
        ['-1.25e3', '-1250'],
      ] as const)
        expect(read(cell, numeric, options)).toBe(plain);
    expect(read('1.500', CENTS, { ...options, isAmount: true })).toBe('150');
    expect(read('1.234', CENTS, { ...options, isAmount: true })).toEqual(refused);
  }
});

it('a text with a lone separator before three digits needs --decimal in every numeric column', () => {
  for (const numeric of NUMERICS) {
    expect(read('1.234', numeric)).toEqual(refused);
    expect(read('1.234', numeric, { decimal: 'comma' })).toBe('1234');
    expect(read('1.234', numeric, { decimal: 'point' })).toBe('1.234');
    expect(read('0,125', numeric)).toBe('0.125');
    expect(read('0.125', numeric, { decimal: 'comma' })).toEqual(refused);
    expect(read('1.5', numeric, { decimal: 'comma' })).toEqual(refused);
  }
});

it('other texts are left to the database, which tells what it expects', () => {
  for (const numeric of NUMERICS)
    for (const cell of ['NaN', '1e3', '12%', '$5'])
      expect(read(cell, numeric, { decimal: 'comma' })).toBe(cell);
});

it('published rates have a point, with any --decimal', () => {
  for (const name of ['euro_reference_rates'])
    for (const decimal of SIGNS)
      expect(
        read('1.085', column('units_per_euro', 'numeric(20,10)'), { of: name, ...(decimal && { decimal }) }),
      ).toBe('1.085');
});

it('blanks are an empty cell, but in a required text', () => {
  const required = column('title', 'text', { notNull: true });
  for (const cell of ['', ' ', '\t\u00A0']) {
    for (const each of [column('note', 'text'), column('day', 'date'), ...NUMERICS])
      expect(read(cell, each)).toBeNull();
    expect(read(cell, column('kind', 'text', { notNull: true, default: `'x'` }))).toBeNull();
    expect(read(cell, required)).toBe(cell);
  }
  expect(read('NULL', required)).toBe('NULL');
  expect(read(' a ', column('note', 'text'))).toBe(' a ');
});

it('a name of a row loses blanks at its ends, and keeps its case', () => {
  for (const name of ['source_ref', 'load_ref', 'a_ref']) {
    expect(read(' A17\u00A0', column(name, 'text'))).toBe('A17');
    expect(read('a17', column(name, 'text'))).toBe('a17');
  }
  expect(read(' A17 ', column('a_title', 'text'))).toBe(' A17 ');
});

it('a key stands once in JSON of a cell', () => {
  for (const json of [column('dimensions', 'jsonb'), column('snapshot', 'text', { json: true })]) {
    expect(read('{"a":1,"b":{"a":1}}', json)).toBe('{"a":1,"b":{"a":1}}');
    expect(read('{"a":{"b":1,"b":2}}', json)).toEqual({
      expected: expect.stringContaining('"b" stands twice'),
    });
    for (const cell of ['{a}', '{"a', '"', '[1,']) expect(read(cell, json)).toBe(cell);
  }
});
