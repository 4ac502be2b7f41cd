/** A table with every kind twice, once nullable, and two rows of it worked out by hand. */
import type { Row } from '../../src/parquet/row-fields.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { bool, date, float8, int4, int8, text, timestamptz, type CopyField } from '../support/copy-binary.ts';

export const everyKind = defineTable({
  name: 'every_kind',
  grain: 'one row per test row',
  description: 'Every kind, with and without null.',
  key: ['an_id'],
  from: null,
  columns: [
    column('an_id', 'id', 'An id.'),
    column('a_string', 'string', 'A string.', { encoding: 'dictionary' }),
    column('a_text', 'text', 'A text.'),
    column('an_integer', 'integer', 'An integer.'),
    column('a_number', 'number', 'A number.'),
    column('a_boolean', 'boolean', 'A boolean.'),
    column('a_date', 'date', 'A date.'),
    column('a_timestamp', 'timestamp', 'A timestamp.'),
    column('some_cents', 'cents', 'Cents.'),
    column('a_json', 'json', 'JSON.'),
    column('maybe_id', 'id?', 'An id; empty at times.'),
    column('maybe_string', 'string?', 'A string; empty at times.', { encoding: 'dictionary' }),
    column('maybe_text', 'text?', 'A text; empty at times.', { encoding: 'delta' }),
    column('maybe_integer', 'integer?', 'An integer; empty at times.'),
    column('maybe_number', 'number?', 'A number; empty at times.'),
    column('maybe_boolean', 'boolean?', 'A boolean; empty at times.'),
    column('maybe_date', 'date?', 'A date; empty at times.'),
    column('maybe_timestamp', 'timestamp?', 'A timestamp; empty at times.'),
    column('maybe_cents', 'cents?', 'Cents; empty at times.'),
    column('maybe_json', 'json?', 'JSON; empty at times.'),
  ],
});

/** The columns that come with the rows: all but `snapshot_id`. */
export const everyKindColumns = everyKind.columns.slice(1);

const BIG = 9_007_199_254_740_993n; // 2^53 + 1: the first whole number a double cannot hold

// 2000-01-01 is day 10,957 and second 946,684,800 since 1970; the format counts from 2000.
const filled: readonly (readonly [CopyField, Row[string]])[] = [
  [int8(BIG), BIG],
  [text('EUR'), 'EUR'],
  [text('Größe 数 🚀'), 'Größe 数 🚀'],
  [int4(-2_147_483_648), -2_147_483_648],
  [float8(-0.1), -0.1],
  [bool(true), true],
  [date(60), '2000-03-01'], // 31 days of January and 29 of February in a leap year
  [timestamptz(1n), 946_684_800_000_001n],
  [int8(-1n), -1n],
  [text('{}'), '{}'],
  [int8(-9_223_372_036_854_775_808n), -9_223_372_036_854_775_808n],
  [text(''), ''],
  [text('x'.repeat(100)), 'x'.repeat(100)],
  [int4(2_147_483_647), 2_147_483_647],
  [float8(Number.MAX_VALUE), Number.MAX_VALUE],
  [bool(false), false],
  [date(-10_958), '1969-12-31'],
  [timestamptz(-946_684_800_000_001n), -1n],
  [int8(9_223_372_036_854_775_807n), 9_223_372_036_854_775_807n],
  [text('{"a":[1]}'), '{"a":[1]}'],
];

/** One row with a value everywhere and one with null wherever it may be, as COPY sends them. */
export const copyRows: readonly (readonly CopyField[])[] = [
  filled.map(([field]) => field),
  filled.map(([field], index) => (index < 10 ? field : null)),
];

/** The same two rows as values. */
export const valueRows: readonly Row[] = [
  Object.fromEntries(everyKindColumns.map(({ name }, index) => [name, filled[index]?.[1] ?? null])),
  Object.fromEntries(
    everyKindColumns.map(({ name }, index) => [name, index < 10 ? (filled[index]?.[1] ?? null) : null]),
  ),
];
