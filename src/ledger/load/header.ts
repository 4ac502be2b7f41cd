/** Reads the header of a file: its columns, and the faults of the header. */
import type { LoadColumn, LoadTable } from './catalogue.ts';
import { accountColumn } from './catalogue.ts';
import type { LoadFaults } from './faults.ts';

// Triggers write these columns from other rows: a value in the file would be lost silently.
const SET_BY_LEDGER = new Map([
  ['cost_entries.vendor_id', 'to be left out: it is found by vendor_name'],
  ['value_entries.approval_decision_id', 'to be left out: it follows the approval decisions'],
]);

export interface Header {
  /** The columns of the file in its order, then the account column if it was added. */
  readonly columns: readonly LoadColumn[];
  /** True if the file has no account column, because all rows belong to the account of the load. */
  readonly accountAdded: boolean;
}

/**
 * The columns of a header row. The account column may be omitted if every row belongs to `account`. Returns null, after
 * adding faults, if the header cannot be used to read the rows.
 */
export function readHeader(
  table: LoadTable,
  file: string,
  names: readonly (string | null)[],
  options: { readonly account: bigint | null; readonly faults: LoadFaults },
): Header | null {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  const given: LoadColumn[] = [];
  const refuse = (name: string | null, expected: string): void =>
    options.faults.add({ file, line: 1, column: name, value: name, expected });
  for (const name of names) {
    const column = columns.get(name ?? '');
    const kept = column && setBy(table, column);
    if (column === undefined) refuse(name, `a column of ${table.name}`);
    else if (given.includes(column)) refuse(name, 'each column once');
    else if (kept !== undefined) refuse(name, kept);
    else given.push(column);
  }
  const added = options.account === null ? null : accountColumn(table);
  for (const name of table.key) {
    const column = columns.get(name);
    if (column === undefined || given.includes(column) || names.includes(name)) continue;
    if (name === added) continue;
    options.faults.add({
      file,
      line: 1,
      column: name,
      value: null,
      expected: 'this column, which is part of the key',
    });
  }
  if (options.faults.has(file)) return null;
  const account = added === null ? undefined : columns.get(added);
  const accountAdded = account !== undefined && !given.includes(account);
  return { columns: accountAdded ? [...given, account] : given, accountAdded };
}

function setBy(table: LoadTable, column: LoadColumn): string | undefined {
  if (column.generated !== null) return 'to be left out: it is computed from other columns';
  if (column.name === 'updated_at') return 'to be left out: it is stamped when a row changes';
  return SET_BY_LEDGER.get(`${table.name}.${column.name}`);
}
