/** Finds staged texts that are not values of their column's type, for all columns of a file in one pass. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import type { LoadColumn } from './catalogue.ts';
import type { LoadFaults } from './faults.ts';
import { redacted } from './redact.ts';
import type { StagedFile } from './stage.ts';

interface Form {
  /** The accepted form. PostgreSQL accepts more, such as 'now', 'yesterday', 1_000, 0x1F or a local time. */
  readonly pattern: string;
  readonly expected: string;
}

const WHOLE: Form = { pattern: '^-?[0-9]+$', expected: 'a whole number' };

const FORMS: Readonly<Record<string, Form>> = {
  bigint: WHOLE,
  integer: WHOLE,
  numeric: { pattern: '^-?[0-9]+([.][0-9]+)?$', expected: 'a decimal number' },
  'double precision': { pattern: '^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$', expected: 'a number' },
  boolean: { pattern: '^(true|false|t|f)$', expected: 'true or false' },
  date: { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', expected: 'a day, YYYY-MM-DD' },
  'timestamp with time zone': {
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$',
    expected: 'an ISO 8601 time with an offset or Z, to the microsecond at most',
  },
  jsonb: { pattern: '', expected: 'JSON' },
  bytea: { pattern: '^\\\\x([0-9a-fA-F]{2})*$', expected: 'bytes in hex after \\x' },
};
const TEXT: Form = { pattern: '', expected: 'text' };

/**
 * Adds a fault for each staged cell that is not a value of its column. The condition on whole rows comes first: PostgreSQL
 * prepares the list of a row's cells anew for each row, which costs more than the checks.
 */
export async function checkTypes(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const verdicts = staged.given.map(verdict);
  const checked = verdicts.flatMap((text, place) => (text === null ? [] : [`(${place}, ${text})`]));
  if (checked.length === 0) return;
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select _line as line, place, (array[${staged.given.map((column) => name(column)).join(', ')}])[place + 1] as value, verdict
     from ${staged.stage}
     cross join lateral (values ${checked.join(', ')}) as checked (place, verdict)
     where coalesce(${verdicts.filter((text) => text !== null).join(', ')}) is not null and verdict is not null
     order by _line, place
     limit ${faults.room()}`,
    columns: { line: 'int8', place: 'int4', value: 'text', verdict: 'text' },
  });
  for (const { line, place, value, verdict: expected } of rows) {
    const column = staged.given[place]?.name ?? null;
    const shown = redacted(staged.table, column, value);
    faults.add({ file: staged.file, line: Number(line), column, value: shown, expected });
  }
}

/** SQL that is null for a valid text, and otherwise says what was expected; null if every text is valid. */
function verdict(column: LoadColumn): string | null {
  if (column.base === 'text' && column.rule === null && !column.json) return null;
  const cell = name(column);
  const { pattern, expected } = FORMS[column.base.replace(/\(.*/, '')] ?? TEXT;
  const valid = (type: string): string => `pg_input_is_valid(${cell}, ${escapeLiteral(type)})`;
  const tests = [
    ...(pattern === '' ? [] : [wrong(`${cell} ~ ${escapeLiteral(pattern)}`, expected)]),
    wrong(valid(column.base), pattern === '' ? expected : `${expected} within the range of ${column.base}`),
    // A cast would round silently.
    ...(column.base.startsWith('numeric(')
      ? [
          wrong(
            `${cell}::numeric = ${cell}::${column.base}`,
            `${expected} with no more places than ${column.base} keeps`,
          ),
        ]
      : []),
    ...(column.json ? [wrong(valid('jsonb'), 'JSON')] : []),
    ...(column.rule === null ? [] : [wrong(valid(column.type), column.rule_in_words ?? expected)]),
  ];
  return `case when ${cell} is not null then case ${tests.join(' ')} end end`;
}

function wrong(test: string, right: string): string {
  return `when not ${test} then ${escapeLiteral(right)}`;
}

function name(column: LoadColumn): string {
  return escapeIdentifier(column.name);
}
