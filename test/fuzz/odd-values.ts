/** Values of parameters: such as the contract takes, and such as no client should send. */
import type { Seeded } from './seeded.ts';

/** What is read here of a schema, in the contract and in the inputs of tools. */
export interface ValueSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
}

const ODD_TEXTS: readonly [string, ...string[]] = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  'NaN',
  'Infinity',
  '9007199254740993',
  '99999999999999999999999999',
  "' or 1=1 --",
  "'; drop table ledger.accounts; --",
  '${7*7}{{7*7}}<%= 7 %>',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  String.raw`..\..\windows\win.ini`,
  '\0',
  'a\0b',
  '\r\nX-Injected: 1',
  '\u202e\u0000\ufeff',
  '𝕏'.repeat(40),
  '%',
  '_%_%',
  '*',
  '[]',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'a'.repeat(3_000),
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  'true ',
  'TRUE',
];

// Of the fixture company: initiatives of both accounts, and ids that nothing has.
const IDS: readonly [number, ...number[]] = [101, 102, 103, 104, 201, 1, 9001, 999_999_999];
const BY_FORMAT: Readonly<Record<string, readonly [string, ...string[]]>> = {
  date: ['2026-01-31', '2025-07-01', '1999-12-31', '2100-01-01'],
  'date-time': ['2026-01-31T00:00:00Z', '2020-01-01T00:00:00.123456+02:00', '2030-01-01T00:00:00Z'],
};
const TEXTS: readonly [string, ...string[]] = ['any', 'openai', 'quote', 'hours_saved', 'roi', 'as is'];

/** A text that no client should send. */
export function oddText({ pick }: Seeded): string {
  return pick(ODD_TEXTS);
}

/** A value of the schema's own kind, as JSON has it. */
export function plainValue(
  { type, format, enum: values = [] }: ValueSchema,
  { pick, below, percent }: Seeded,
): unknown {
  const [first, ...others] = values;
  if (first !== undefined) return pick([first, ...others]);
  const known = BY_FORMAT[format ?? ''];
  if (known !== undefined) return pick(known);
  if (type === 'boolean') return percent(50);
  if (type === 'integer' || type === 'number') return percent(40) ? 1 + below(50) : pick(IDS);
  return pick(TEXTS);
}
