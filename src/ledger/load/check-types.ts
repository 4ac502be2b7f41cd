/** Finds staged texts that are not values of their column's type, for all columns of a file in one pass. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import type { LoadColumn } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { redacted } from '../staging/redact.ts';
import { daysMeant } from '../sources/other-days.ts';
import { cellInstead } from '../sources/plain-forms.ts';
import { type StagedFile, shownCell } from '../staging/staged-file.ts';

interface Form {
  /** The accepted form. PostgreSQL accepts more, such as 'now', 'yesterday', 1_000, 0x1F or a local time. */
  readonly pattern: string;
  readonly expected: string;
}

const INTEGER: Form = { pattern: '^-?[0-9]+$', expected: 'a whole number' };

const FORMS: Readonly<Record<string, Form>> = {
  bigint: INTEGER,
  integer: INTEGER,
  numeric: { pattern: '^-?[0-9]+([.][0-9]+)?$', expected: 'a decimal number' },
  'double precision': { pattern: '^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$', expected: 'a number' },
  // Spreadsheets write TRUE and FALSE.
  boolean: { pattern: '(?i)^(true|false|t|f)$', expected: 'true or false' },
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
 * Adds a fault for each staged cell that is not a value of its column. A cheap condition on the whole row comes first.
 * Building the list of a row's cells, with a verdict for each, costs more than the checks; it is only done for wrong rows.
 */
export async function checkTypes(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const checks = staged.given.flatMap((column, index) => {
    const tests = testsOf(column);
    if (tests.length === 0) return [];
    const cell = name(column);
    const cases = tests.map(({ holds, expected }) => `when not ${holds} then ${escapeLiteral(expected)}`);
    const needed = tests.filter(({ implied }) => implied !== true).map(({ holds }) => holds);
    return [
      {
        verdict: `(${index}, case when ${cell} is not null then case ${cases.join(' ')} end end)`,
        isWrong: `not (${needed.join(' and ')})`, // unknown for an empty cell
      },
    ];
  });
  if (checks.length === 0) return;
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select _line as line, index, (array[${staged.given.map((column) => name(column)).join(', ')}])[index + 1] as value, verdict
     from ${staged.stage}
     cross join lateral (values ${checks.map((check) => check.verdict).join(', ')}) as checked (index, verdict)
     where (${checks.map(({ isWrong }) => isWrong).join(' or ')}) and verdict is not null
     order by _line, index
     limit ${faults.room()}`,
    columns: { line: 'int8', index: 'int4', value: 'text', verdict: 'text' },
  });
  const cells = rows.flatMap(({ index, ...row }) => {
    const column = staged.given[index];
    if (column === undefined) return [];
    return [{ ...row, column, days: column.base === 'date' ? daysMeant(column.name, row.value) : [] }];
  });
  const taken = await daysTaken(client, staged.file, cells);
  for (const { line, column, value, verdict: expected, days } of cells) {
    const shown = redacted(staged.table, column.name, value);
    const takenDays = days.filter((day) => taken.has(`${column.type} ${day}`));
    const sentence = `${expected}${cellInstead(column, value, takenDays)}`;
    const cell = shownCell(staged, column.name, shown);
    faults.add({ file: staged.file, line: Number(line), ...cell, expected: sentence });
  }
}

/** Returns the days that the columns take, each with the type of its column before it. A month is taken if its first day is. */
async function daysTaken(
  client: Client,
  file: string,
  cells: readonly { readonly column: LoadColumn; readonly days: readonly string[] }[],
): Promise<ReadonlySet<string>> {
  const meant = cells.flatMap(({ column: { type }, days }) => days.map((day) => ({ type, day })));
  if (meant.length === 0) return new Set();
  const rows = await readStatement(client, {
    name: file,
    text: `select concat_ws(' ', type, day) as taken from unnest($1::text[], $2::text[]) as meant (type, day)
     where pg_input_is_valid(rpad(day, 10, '-01'), type)`,
    values: [meant.map(({ type }) => type), meant.map(({ day }) => day)],
    columns: { taken: 'text' },
  });
  return new Set(rows.map(({ taken }) => taken));
}

/** What a cell of the column must be, such as `a day, YYYY-MM-DD`. */
export function expectedOf({ base, rule_in_words }: LoadColumn): string {
  return rule_in_words ?? (FORMS[base.replace(/\(.*/, '')] ?? TEXT).expected;
}

interface TypeTest {
  /** SQL that is true if a cell passes. A later test may assume that the cell passed the earlier ones. */
  readonly holds: string;
  readonly expected: string;
  /** True if a later test refuses the same cells, and more. */
  readonly implied?: boolean;
}

/** The tests that a cell of the column must pass; none if every text is valid. */
function testsOf(column: LoadColumn): readonly TypeTest[] {
  const cell = name(column);
  const { pattern, expected } = FORMS[column.base.replace(/\(.*/, '')] ?? TEXT;
  const valid = (type: string): string => `pg_input_is_valid(${cell}, ${escapeLiteral(type)})`;
  const rounds = column.base.startsWith('numeric(');
  return [
    ...(pattern === '' ? [] : [{ holds: `(${cell} ~ ${escapeLiteral(pattern)})`, expected }]),
    ...(column.base === 'text'
      ? []
      : [
          {
            holds: valid(column.base),
            expected: pattern === '' ? expected : `${expected} within the range of ${column.base}`,
            implied: column.rule !== null && !rounds,
          },
        ]),
    // A cast would round silently.
    ...(rounds
      ? [
          {
            holds: `(${cell}::numeric = ${cell}::${column.base})`,
            expected: `${expected} with no more places than ${column.base} keeps`,
          },
        ]
      : []),
    ...(column.json ? [{ holds: valid('jsonb'), expected: 'JSON' }] : []),
    ...(column.rule === null
      ? []
      : [{ holds: valid(column.type), expected: column.rule_in_words ?? expected }]),
  ];
}

function name(column: LoadColumn): string {
  return escapeIdentifier(column.name);
}
