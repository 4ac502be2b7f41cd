/** Reads the header of a file: its columns, and the faults of the header. */
import type { LoadColumn, LoadTable } from '../staging/load-table.ts';
import { accountColumn } from '../staging/catalogue.ts';
import { SHOWN_FAULTS, type LoadFaults } from '../staging/faults.ts';
import { columnMeant } from '../sources/headings.ts';
import { isBlank, textFault } from '../sources/whole-rows.ts';
import { SOURCE_REF, fileColumns, hasLoadRef } from '../staging/spellings.ts';

// Triggers write these columns from other rows: a value in the file would be lost silently.
const SET_BY_LEDGER = new Map([
  ['cost_entries.vendor_id', 'to be left out: it is found by vendor_name'],
  ['value_entries.approval_decision_id', 'to be left out: it follows the approval decisions'],
  ['usage.superseded', 'to be left out: it follows the use that the bill itself says'],
]);

/** The end of the name of a column of cents. A file may omit it: `amount` holds an amount with decimals. */
export const CENTS = '_cents';

export interface Header {
  /** The columns of the file in its order, then the account column if it was added. */
  readonly columns: readonly LoadColumn[];
  /** The indexes of the columns that the file has as amounts with decimals instead of cents. */
  readonly amounts: ReadonlySet<number>;
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
  const columns = new Map(fileColumns(table).map((column) => [column.name, column]));
  const fills = fillsOf(table);
  const byRef = hasLoadRef(table) && !names.includes('id');
  const given: LoadColumn[] = [];
  let refused = 0;
  const refuse = (name: string | null, expected: string): void => {
    refused += 1;
    // Without a header, the first row stands in its place: of a table of secrets, only known names are shown.
    const isShown = table.schema !== 'vault' || columns.has(name ?? '');
    const column = isShown ? name : null;
    const value = isShown || name === null ? name : '(not shown)';
    options.faults.add({ file, line: 1, column, value, expected, heading: table.name });
  };
  const isHeader = names.some(
    (name) => name !== null && (columns.has(name) || meantBy(table, name) !== null),
  );
  const amounts = new Set<number>();
  for (const [index, name] of names.entries()) {
    // An unknown column is compared with all known columns, and a header can have hundreds of thousands of columns.
    if (refused === SHOWN_FAULTS) break;
    const column = columns.get(name ?? '') ?? columns.get(`${name}${CENTS}`);
    const kept = column && (setBy(table, column) ?? setByKey(table, column.name, byRef));
    const twice = given.find((each) => column !== undefined && fills(each.name) === fills(column.name));
    if (isBlank(name)) refuse(name, `a name for column ${index + 1}, which the header leaves empty`);
    else if (column === undefined) {
      const known = textFault(name ?? '', index)?.expected ?? knownColumn(table, name ?? '');
      refuse(name, isHeader || index > 0 ? known : `${known}; delete the lines above the header`);
    } else if (twice === column) refuse(name, 'each column once');
    else if (twice !== undefined)
      refuse(name, `${twice.name} or ${column.name}, not both: they say the same`);
    else if (kept !== undefined) refuse(name, kept);
    else {
      if (column.name !== name) amounts.add(given.length);
      given.push(column);
    }
  }
  const added = options.account === null ? null : accountColumn(table);
  for (const name of table.key) {
    const absent = byRef && name === 'id' ? SOURCE_REF : name;
    if (name === added || given.some((column) => fills(column.name) === absent) || names.includes(absent)) {
      continue;
    }
    const expected =
      absent === SOURCE_REF
        ? 'this column with a name of your own for each row, by which a later load finds it again; or id'
        : absent === 'account_id'
          ? 'this column; or name the account by --account, as account add printed it'
          : 'this column, which is part of the key';
    options.faults.add({ file, line: 1, column: absent, value: null, expected });
  }
  if (options.faults.has(file)) return null;
  const account = added === null ? undefined : columns.get(added);
  const accountAdded = account !== undefined && !given.includes(account);
  return { columns: accountAdded ? [...given, account] : given, amounts, accountAdded };
}

function knownColumn(table: LoadTable, name: string): string {
  const nearest = meantBy(table, name);
  return `a column of ${table.name}${nearest === null ? '' : `; did you mean ${nearest}?`}`;
}

function meantBy(table: LoadTable, name: string): string | null {
  const given = fileColumns(table).filter((column) => mayGive(table, column));
  // An amount with decimals is what people have: it is named before its cents.
  const names = given.flatMap((column) =>
    column.name.endsWith(CENTS) ? [column.name.slice(0, -CENTS.length), column.name] : [column.name],
  );
  return columnMeant(name, names);
}

/** False for a column that the ledger fills itself where rows are named by `source_ref`. */
export function mayGive(table: LoadTable, column: LoadColumn): boolean {
  return setBy(table, column) === undefined && setByKey(table, column.name, true) === undefined;
}

function setBy(table: LoadTable, column: LoadColumn): string | undefined {
  if (column.generated !== null) return 'to be left out: it is computed from other columns';
  if (column.name === 'updated_at') return 'to be left out: it is stamped when a row changes';
  return SET_BY_LEDGER.get(`${table.name}.${fillsOf(table)(column.name)}`);
}

/** Why a column may not be in a file, because its rows are named by an id or by a `source_ref`; undefined if it may. */
function setByKey(table: LoadTable, name: string, byRef: boolean): string | undefined {
  if (!hasLoadRef(table)) return undefined;
  if (!byRef) {
    const served = table.columns.some((column) => column.name === SOURCE_REF);
    return name === SOURCE_REF && !served
      ? 'id or source_ref, not both: each is the key of a row'
      : undefined;
  }
  if (name === 'load_source') return 'to be left out: --source says where the files come from';
  if (name === 'load_ref') return `${SOURCE_REF}, which gives each row a name of your own`;
  return name.startsWith('usd_')
    ? 'to be left out: the ledger computes dollars from published rates'
    : undefined;
}

/** The column of the table that a column of the file fills. */
function fillsOf(table: LoadTable): (name: string) => string {
  const columns = new Map(table.spellings.map((spelling) => [spelling.name, spelling.column]));
  return (name) => columns.get(name) ?? name;
}
