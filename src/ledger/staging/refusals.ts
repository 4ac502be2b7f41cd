/** Turns a refusal of the database into a fault that names file, line and column. */
import type { Client, DatabaseError } from 'pg';
import { escapeIdentifier } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { SQLSTATE } from '../../postgres-errors.ts';
import type { LoadFault } from './faults.ts';
import { redacted } from './redact.ts';
import { type StagedFile, nameInFile, shownCell } from './staged-file.ts';

// The column that a fault names if a locked month refuses a row of the table.
const LOCKED_BY: Readonly<Record<string, string>> = {
  cost_entries: 'period_start',
  value_entries: 'period_start',
  initiatives: 'is_sample',
};

/** The fault for a row that was refused while it was written. */
export async function refusedRow(
  client: Client,
  staged: StagedFile,
  line: number,
  error: DatabaseError,
): Promise<LoadFault> {
  const columns = columnsOf(staged.table.name, error);
  const [row] = await readStatement(client, {
    name: staged.file,
    text: `select ${staged.given
      .map(({ name }) => `${escapeIdentifier(nameInFile(staged, name))} as ${escapeIdentifier(name)}`)
      .join(', ')}
     from ${staged.stage} where _line = $1`,
    values: [line],
    columns: Object.fromEntries(staged.given.map((column) => [column.name, 'text?' as const])),
  });
  const cells = columns.map((column) =>
    shownCell(staged, column, redacted(staged.table, column, row?.[column])),
  );
  const values = cells.map(({ value }) => value);
  return {
    file: staged.file,
    line,
    column: cells.map(({ column }) => column).join(', ') || null,
    // A file that corrects a row need not name its month.
    value:
      values.filter((value) => value !== null).join(', ') || (namedRow(error)?.month?.slice(0, 7) ?? null),
    expected: sentence(error),
  };
}

/** The fault for a refusal without a line: of a deletion, or of a deferred constraint. */
export async function refusedLoad(
  client: Client,
  files: readonly StagedFile[],
  error: DatabaseError,
  during?: string,
): Promise<LoadFault> {
  const named = namedRow(error);
  // PostgreSQL reports the referencing table; the fault is in the table that lost the row.
  const lost = /^update or delete on table "(\w+)"/.exec(error.message)?.[1];
  const table = named?.table ?? lost ?? error.table ?? during ?? '';
  const id = named?.id;
  const staged = files.find((file) => file.table.name === table);
  if (staged !== undefined && id !== undefined) {
    const [row] = await readStatement(client, {
      name: staged.file,
      text: `select _line as line from ${staged.rows} where id = $1 order by _line limit 1`,
      values: [id],
      columns: { line: 'int8' },
    });
    if (row !== undefined) return refusedRow(client, staged, Number(row.line), error);
  }
  const key = /^Key \((?<columns>.*?)\)=\((?<values>.*?)\) /.exec(error.detail ?? '')?.groups;
  return {
    file: table === '' ? '' : `${table}.csv`,
    line: null,
    column: key?.['columns'] ?? (id === undefined ? null : 'id'),
    value: key?.['values'] ?? (id === undefined ? null : String(id)),
    expected: sentence(error),
  };
}

function columnsOf(table: string, error: DatabaseError): readonly string[] {
  const locked = LOCKED_BY[table];
  if (namedRow(error)?.month !== undefined && locked !== undefined) return [locked];
  const key = /^Key \((.*?)\)=/.exec(error.detail ?? '')?.[1];
  return key?.split(', ') ?? (error.column === undefined ? [] : [error.column]);
}

interface NamedRow {
  readonly table: string;
  readonly id: string | number;
  /** The first day of the row's locked month, `YYYY-MM-DD`; absent if another rule refused the row. */
  readonly month?: string;
}

/** The row that a trigger refused. Our triggers put it into `detail` as JSON; PostgreSQL's own details are text. */
function namedRow({ detail }: DatabaseError): NamedRow | null {
  return detail?.startsWith('{') === true ? (JSON.parse(detail) as NamedRow) : null; // as the triggers write it
}

function sentence(error: DatabaseError): string {
  const month = namedRow(error)?.month?.slice(0, 'YYYY-MM'.length);
  if (month !== undefined)
    return `an open month; ${month} is locked: reopen it first (npx --no crossfoot month reopen ${month} --help)`;
  // PostgreSQL would name a constraint of the schema.
  if (error.code === SQLSTATE.unique_violation)
    return 'a value that no other row has; change or delete the other row in an earlier load';
  const stillNamed = /is still referenced from table "(\w+)"/.exec(error.detail ?? '')?.[1];
  const reason = stillNamed === undefined ? error.message : `a row that ${stillNamed} still names`;
  return error.hint === undefined ? reason : `${reason}; ${error.hint}`;
}
