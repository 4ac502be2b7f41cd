/** Values at the edges of every type of the ledger: what PostgreSQL and DuckDB could read, trim, fold, sort or round differently. */
import type { Chance } from '../../chaos/chance.ts';

/** White space of Unicode, and what looks like it: each strips another set of these. */
export const BLANKS: readonly string[] = [
  ...Array.from(
    ' \t\n\v\f\r\u001c\u001f\u0085\u00a0\u1680\u180e\u2000\u2003\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff',
  ),
  '\r\n',
];

const WORDS = [
  'Cloud', 'cloud', 'CLOUD', 'Straße', 'STRASSE', 'İstanbul', 'ısı', 'ΣΑΣ', 'ſ', 'ǆ', 'Ǆ', 'é', 'e\u0301', 'ﬀ', '𝒳𝒴', '👩‍👩‍👧', '\u{10ffff}', '\ud7ff\ue000',
  'a\u001fb', '"', '""', "'", "o'clock", '\\', '\\n', '\\u0000', '%', '_', '*', 'null', 'NULL', 'NaN', 'true', '0', '-0', '1e3', '1.50', '{}', '[]', '{"a":1}',
  'Not recorded', 'Other', 'other', 'tokens', 'software', 'Calculated by ', 'Synced from ', '2026-02-30', 'infinity', 'a,b;c', '\u202eabc', '\u0001', '\u007f', ':table', '$1', '?',
]; // prettier-ignore

const TEXTS: readonly ((chance: Chance) => string | null)[] = [
  () => null,
  () => '',
  (chance) => chance.oneOf(BLANKS),
  (chance) => chance.oneOf(BLANKS) + chance.oneOf(BLANKS),
  (chance) => chance.oneOf(WORDS),
  (chance) => chance.oneOf(BLANKS) + chance.oneOf(WORDS) + chance.oneOf(BLANKS),
  (chance) => chance.oneOf(WORDS) + chance.oneOf(BLANKS) + chance.oneOf(WORDS),
  (chance) => chance.oneOf(WORDS).repeat(1 + chance.below(2000)),
];

const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  // Sums of a few hundred of them stay below 2^53 - 1, beyond which a build is refused on purpose.
  cents: ['0', '1', '-1', '5', '49', '50', '-50', '99', '100', '-100', '12345', '99999999999', '-99999999999', '1000000000000'],
  integer: ['0', '1', '2', '3', '11', '12', '13', '119', '120', '-1'],
  'double precision': ['0', '-0', '1', '-1', '0.1', '0.30000000000000004', '50', '100', '1e-5', '1e-4', '0.0001234', '123456789012345.67', '999999999999999.9', '1e15',
    '1e16', '9007199254740993', '9.2e18', '1e20', '1e22', '1.7976931348623157e308', '2.2250738585072014e-308', '5e-324', '-5e-324', '0.000001', '33.333333', '1234567.5'],
  numeric: ['0', '1', '0.5', '0.3333', '0.000001', '0.999999', '1.0000000001', '100'],
  boolean: ['t', 'f'],
  date: ['1990-01-01', '1999-12-31', '2000-02-29', '2023-12-31', '2024-01-01', '2024-02-29', '2025-06-30', '2025-07-01', '2026-06-30', '2026-07-01', '2026-07-14',
    '2026-07-15', '2026-07-16', '2026-12-31', '2199-12-31'],
  'timestamp with time zone': ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000001Z', '1999-12-31T23:59:59.999999Z', '2024-02-29T12:00:00Z', '2025-12-31T23:59:59.999999Z', '2026-01-01T00:00:00Z',
    '2026-03-31T23:30:00-05:00', '2026-03-29T01:30:00+01:00', '2026-07-14T23:59:59.999999Z', '2026-07-15T00:00:00Z', '2026-07-15T02:00:00.123456Z', '2199-12-31T23:59:59.999999Z'],
}; // prettier-ignore

const drawnText = (chance: Chance): string | null => chance.oneOf(TEXTS)(chance);

/** A value of a type, or null; undefined for a type of which none is drawn. */
export function drawnValue(type: string, chance: Chance): string | null | undefined {
  if (chance.below(8) === 0) return null;
  if (type === 'text') return drawnText(chance);
  const drawn = NUMBERS[type];
  return drawn && chance.oneOf(drawn);
}

/** Texts that are, or look like, the day or time of a reading. */
export const DAYS: readonly string[] = ['2024-06-01', '2026-02-28', '2026-03-01', '2026-03-01T10:00:00Z', '2026-03-01T10:00', '2026-02-28T23:30:00-01:00', '2026-03-01 10:00:00+05:30', '2026-03-01T00:10+05',
  '2026-03-01T00:10+0530', '2026-02-30', '2026-03-01T24:00:00Z', '2026-02-28T23:59:60Z', '2026-03-01T10:00:00 Europe/Berlin', '2026-03-01 BC', '2026-3-1', '20260301', 'now', 'infinity', '2026-02-28T23:59:59.9999999Z',
  '2026-03-01T10:00:00+15:59', '2026-03-01 10:00:00 PM', '2026-03-01junk', ' 2026-03-01', '2026-03-01T10Z', '2026-03-01T10:00:00−05:00', '0000-01-01', '0001-01-01', '9999-12-31', '10000-01-01', '2026-03-01T10:00z',
  '2026-03-01t10:00Z', '']; // prettier-ignore

/** A document of canonical JSON with drawn texts, numbers and days, and with drawn names of its inputs. */
export function drawnDocument(content: string, chance: Chance): string {
  const drawn = (name: string, value: unknown): unknown => {
    if (typeof value === 'string' && name === 'baseline_method')
      return chance.oneOf(['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate']);
    if (typeof value === 'string' && /_at$|_from$|_start$|_end$/.test(name)) return chance.oneOf(DAYS);
    if (typeof value === 'string' && name !== 'source_type' && name !== 'assumption_scope')
      return drawnText(chance);
    if (typeof value === 'number' && name === 'value')
      return Number(drawnValue('double precision', chance) ?? 7);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isInput = name === 'inputs' || name === 'dimensions';
        return [
          isInput && chance.happens(0.3) ? (drawnText(chance) ?? key) : key,
          chance.happens(0.4) || typeof inner === 'object' ? drawn(key, inner) : inner,
        ];
      }),
    );
  };
  return JSON.stringify(drawn('', JSON.parse(content)));
}
