/** The columns that a file of a table may have, for people: meaning, need, allowed values and an example. */
import { fileColumns, hasLoadRef, SOURCE_REF } from '../staging/spellings.ts';
import { accountColumn } from '../staging/catalogue.ts';
import type { LoadColumn, LoadTable } from '../staging/load-table.ts';
import { expectedOf } from './check-types.ts';
import { CENTS, mayGive } from './header.ts';
import { wordsOfRule } from './rule-words.ts';

export interface DescribedColumn {
  readonly name: string;
  readonly meaning: string;
  /** Whether a file must have the column, in words. */
  readonly need: string;
  /** What a cell may hold. */
  readonly allowed: string;
  readonly example: string;
}

/** The columns in the order of the table, without those that the ledger fills itself. */
export function describeColumns(table: LoadTable): readonly DescribedColumn[] {
  return fileColumns(table)
    .filter((column) => mayGive(table, column))
    .map((column) => {
      const allowed = allowedOf(table, column);
      return {
        name: column.name,
        meaning: column.meaning ?? '',
        need: needOf(table, column),
        allowed,
        example: exampleOf(column, allowed),
      };
    });
}

function needOf(table: LoadTable, column: LoadColumn): string {
  const { name } = column;
  const spelling = table.spellings.find((each) => each.name === name);
  if (spelling !== undefined) return `instead of ${spelling.column}`;
  if (name === SOURCE_REF && hasLoadRef(table)) return 'needed, unless the file has id';
  if (name === 'id' && hasLoadRef(table)) return 'optional: instead of source_ref';
  if (name === accountColumn(table)) return 'needed, unless --account names the account';
  if (name === 'source_type' && column.default !== null) return 'optional: csv if omitted';
  if (!isNeeded(table, column)) return conditionOf(table, name) ?? 'optional';
  const others = table.spellings.filter((each) => each.column === name).map((each) => each.name);
  if (others.length > 0) return `needed, or one of ${others.join(', ')}`;
  return name.endsWith(CENTS) ? `needed, or ${name.slice(0, -CENTS.length)} with decimals` : 'needed';
}

/** When a column is needed, or may be given, by a rule such as `locked_at when status is locked`; null without a rule. */
function conditionOf({ checks }: LoadTable, name: string): string | null {
  for (const { rule_in_words } of checks) {
    const [, named = '', only, condition] = /^([\w, ]+?)( only)? when (.+)$/.exec(rule_in_words ?? '') ?? [];
    if (!named.split(/, | and /).includes(name)) continue;
    return only === undefined ? `needed when ${condition}` : `optional: only when ${condition}`;
  }
  return null;
}

function isNeeded(
  { settlers, key }: LoadTable,
  { name, notNull, default: preset, identity }: LoadColumn,
): boolean {
  if (key.includes(name)) return !identity;
  const isSettled = settlers.some(({ fires }) => fires.includes(`new.${name} IS NULL`));
  return notNull && preset === null && !identity && !isSettled;
}

function allowedOf(table: LoadTable, column: LoadColumn): string {
  const rules = table.checks
    .filter(({ columns }) => columns.length === 1 && columns[0] === column.name)
    .flatMap(({ rule_in_words, expression }) => rule_in_words ?? wordsOfRule(expression) ?? []);
  return rules.length > 0 ? rules.join('; ') : expectedOf(column);
}

const EXAMPLES: readonly (readonly [test: RegExp, example: string])[] = [
  [/(?:^|_)email$|_by$/, 'ada@example.com'],
  [/_ref$/, 'A-1'],
  [/currency$/, 'EUR'],
  [/(?:^|_)month$/, '2026-03'],
  [/url$/, 'https://example.com'],
];
const EXAMPLES_OF_TYPES: Readonly<Record<string, string>> = {
  bigint: '7',
  integer: '3',
  boolean: 'true',
  date: '2026-03-01',
  'timestamp with time zone': '2026-03-01T09:30:00Z',
  'double precision': '12.5',
  jsonb: '{}',
  bytea: '\\x00ff',
};

function exampleOf({ name, base, json }: LoadColumn, allowed: string): string {
  const [, listed] = /^one of ([^,]+)/.exec(allowed) ?? [];
  if (listed !== undefined) return listed;
  const plain = base.replace(/\(.*/, '');
  if (name.endsWith(CENTS)) return '125050';
  const named = EXAMPLES.find(([test]) => plain !== 'integer' && test.test(name))?.[1];
  if (named !== undefined) return named;
  if (json) return '{}';
  return plain === 'numeric' ? '0.5' : (EXAMPLES_OF_TYPES[plain] ?? 'Some words');
}
