/** Checks the rows of a file against the rules of the schema, by a few queries over all rows. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { type Holding, readStatement } from '../../database/columns.ts';
import { accountColumn, tableName } from '../staging/catalogue.ts';
import type { LoadTable } from '../staging/load-table.ts';
import type { LoadFaults } from '../staging/faults.ts';
import type { LoadMode } from '../staging/mode.ts';
import { sameKey } from './rows.ts';
import { wordsOfRule } from './rule-words.ts';
import { redacted } from '../staging/redact.ts';
import { type StagedFile, nameInFile, shownCell } from '../staging/staged-file.ts';

/** A query for the wrong rows of a file; `r` are its typed rows and `s` its staged texts. */
export interface RowQuestion {
  /** The columns that the fault names. */
  readonly columns: readonly string[];
  readonly wrong: string;
  /** What the row should have, as an SQL expression. */
  readonly expected: string;
  /** Further tables to join. */
  readonly join?: string;
  /** True if all wrong rows together give one fault, on the line of the header. */
  readonly once?: boolean;
  /** SQL over all rows of the file that is true if one is wrong: cheaper than the query for the rows. */
  readonly any?: string;
}

export interface CheckOptions {
  readonly mode: LoadMode;
  /** The only accounts whose rows may be written; null for any. */
  readonly accounts: readonly bigint[] | null;
  /** True if the load first deletes rows that are missing from the file, or if the file was not read whole. */
  readonly deletes: boolean;
}

/** Adds a fault for each row that belongs to another account, is incomplete or repeated, or breaks a rule of its table. */
export async function checkRows(
  client: Client,
  staged: StagedFile,
  faults: LoadFaults,
  options: CheckOptions,
): Promise<void> {
  const questions = [
    ...otherAccounts(staged.table, options.accounts),
    ...emptyColumns(staged),
    ...repeatedKeys(staged),
    ...(options.mode === 'insert' ? [keyThere(staged.table)] : []),
    ...(options.deletes ? [] : takenKeys(staged.table, staged.rows)),
    ...brokenRules(staged.table),
  ];
  for (const question of await foundWrong(client, staged, questions)) {
    await askRows(client, staged, faults, question);
  }
}

/** The questions that may have a wrong row: one pass over the file excludes the others. */
async function foundWrong(
  client: Client,
  staged: StagedFile,
  questions: readonly RowQuestion[],
): Promise<readonly RowQuestion[]> {
  const tests = questions.map(({ any, join, wrong }, index) => {
    const isAny = any ?? (join === undefined ? `bool_or(${wrong})` : 'true');
    return `case when ${isAny} then '${index}' end`;
  });
  const [found] = await readStatement(client, {
    name: staged.file,
    text: `select array_remove(array[${tests.join(', ')}], null) as indexes from ${staged.rows} r`,
    columns: { indexes: 'text[]' },
  });
  return questions.filter((_, index) => found?.indexes.includes(String(index)));
}

/** Adds a fault for each row that the query returns. */
export async function askRows(
  client: Client,
  staged: StagedFile,
  faults: LoadFaults,
  question: RowQuestion,
): Promise<void> {
  const given = new Set(staged.given.map((column) => column.name));
  const cells = question.columns.map((column) =>
    // Columns of the file as its text, other columns as their value in the ledger.
    given.has(column)
      ? `s.${escapeIdentifier(nameInFile(staged, column))}`
      : `r.${escapeIdentifier(column)}::text`,
  );
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select r._line as line, array[${cells.join(', ')}]::text[] as cells, ${question.expected} as expected
     from ${staged.rows} r
     join ${staged.stage} s on s._line = r._line
     ${question.join ?? ''}
     where ${question.wrong}
     order by 1
     limit ${question.once === true ? 1 : faults.room()}`,
    columns: { line: 'int8', cells: 'text[]' as Holding<'text[]', (string | null)[]>, expected: 'text' },
  });
  for (const row of rows) {
    const places = question.columns.map((column, index) =>
      shownCell(staged, column, redacted(staged.table, column, row.cells[index])),
    );
    const shown = places.map(({ value }) => value);
    faults.add({
      file: staged.file,
      line: question.once === true ? 1 : Number(row.line),
      column: places.map(({ column }) => column).join(', '),
      value: shown.every((cell) => cell === null) ? null : shown.map((cell) => cell ?? '').join(', '),
      expected: row.expected,
    });
  }
}

function otherAccounts(table: LoadTable, accounts: readonly bigint[] | null): RowQuestion[] {
  const column = accountColumn(table);
  if (column === null || accounts === null) return [];
  return [
    {
      columns: [column],
      wrong: `r.${escapeIdentifier(column)} <> all (array[${accounts.join(', ')}]::bigint[])`,
      expected: escapeLiteral(`a row of account ${accounts.join(' or ')}`),
    },
  ];
}

function emptyColumns({ table, given }: StagedFile): RowQuestion[] {
  const isGiven = new Set(given.map((column) => column.name));
  return table.columns
    .filter((column) => column.notNull && column.generated === null)
    .map(({ name }) => ({
      columns: [name],
      wrong: `r.${escapeIdentifier(name)} is null`,
      expected: escapeLiteral(
        isGiven.has(name) ? 'a value: this column is never empty' : 'this column, which every new row needs',
      ),
      once: !isGiven.has(name),
    }));
}

function repeatedKeys({ table, rows }: StagedFile): RowQuestion[] {
  return [{ columns: table.key, nullsDistinct: true }, ...table.uniques].map(({ columns, nullsDistinct }) => {
    const names = columns.map((column) => escapeIdentifier(column)).join(', ');
    const filled = nullsDistinct ? `where num_nulls(${names}) = 0` : '';
    return {
      columns,
      any: `exists (select from ${rows} ${filled} group by ${names} having count(*) > 1)`,
      join: `join (select _line, min(_line) over (partition by ${names}) as first from ${rows} ${filled}) d
        on d._line = r._line`,
      wrong: 'd.first < r._line',
      expected: `'a key of its own; line ' || d.first || ' has the same'`,
    };
  });
}

function keyThere(table: LoadTable): RowQuestion {
  return { columns: table.key, wrong: 'r._known', expected: `'a key that is not in the ledger yet'` };
}

function takenKeys(table: LoadTable, rows: string): RowQuestion[] {
  const key = table.key.map((column) => `t.${escapeIdentifier(column)}`).join(`, '/', `);
  return table.uniques.map(({ columns, nullsDistinct }) => ({
    columns,
    join: `join ${tableName(table)} t on ${columns
      .map((column) => {
        const name = escapeIdentifier(column);
        return nullsDistinct ? `t.${name} = r.${name}` : `t.${name} is not distinct from r.${name}`;
      })
      .join(' and ')}`,
    // Skip a row that is in the file too, because the load may change its key. The write itself checks that.
    wrong: `not exists (select from ${rows} o where ${sameKey(table, 'o', 't')})`,
    expected: `'a value that no other row has; ' || concat(${key}) || ' has it'`,
  }));
}

function brokenRules(table: LoadTable): RowQuestion[] {
  return table.checks.map(({ name, columns, expression, rule_in_words }) => ({
    columns,
    any: `bool_or(not (${expression}))`,
    wrong: `r._line in (select _line from pg_temp.${escapeIdentifier(`rows_${table.name}`)} where not (${expression}))`,
    expected: escapeLiteral(rule_in_words ?? wordsOfRule(expression) ?? `a row that keeps the rule ${name}`),
  }));
}
