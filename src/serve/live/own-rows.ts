/** Reads the rows of a table that are about one initiative: of all other rows, only the column of initiatives is read. */
import { whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import { cellAt, numberOf, type RowsOf, type TableRows } from '../../snapshot/read/rows.ts';
import type { Reporting } from '../../tables/all.ts';
import type { RowOf } from '../../tables/table.ts';
import type { FrozenRow, SnapshotFiles } from './snapshot-files.ts';

/** The tables whose rows are about initiatives. */
type OfInitiatives = {
  [Name in keyof Reporting]: 'initiative_id' extends keyof RowOf<Reporting[Name]> ? Name : never;
}[keyof Reporting];

/** The rows of a table that are about the initiative, in the order of the file. */
export async function ownRows<
  Name extends OfInitiatives,
  const Columns extends readonly (keyof RowOf<Reporting[Name]> & string)[],
>(
  files: SnapshotFiles,
  table: Name,
  names: Columns,
  id: bigint,
): Promise<readonly FrozenRow<Name, Columns>[]> {
  const rows = await files.table(table);
  return await rowsAt(rows, names, await numbersOf(rows, id));
}

/** The numbers of the rows that are about the initiative, in the order of the file. */
export async function numbersOf(rows: RowsOf<Reporting[OfInitiatives]>, id: bigint): Promise<Uint32Array> {
  const numbers: number[] = [];
  for await (const piece of rows.read(['initiative_id'], { where: whereInitiative((each) => each === id) })) {
    const [ids] = piece.columns;
    for (let row = 0; row < piece.rows; row += 1) {
      if (cellAt(ids, row) === id) numbers.push(numberOf(piece, row));
    }
  }
  return Uint32Array.from(numbers);
}

/** The rows of these numbers, which ascend. */
export async function rowsAt<
  Name extends OfInitiatives,
  const Columns extends readonly (keyof RowOf<Reporting[Name]> & string)[],
>(
  rows: RowsOf<Reporting[Name]>,
  names: Columns,
  index: Uint32Array,
): Promise<readonly FrozenRow<Name, Columns>[]> {
  const table: TableRows = rows;
  const wanted = new Set(index);
  const own: object[] = [];
  for await (const piece of table.read(names, { at: index })) {
    for (let row = 0; row < piece.rows; row += 1) {
      if (!wanted.has(numberOf(piece, row))) continue;
      own.push(Object.fromEntries(names.map((name, column) => [name, piece.columns[column]?.[row]])));
    }
  }
  const found: readonly object[] = own;
  return found as readonly FrozenRow<Name, Columns>[]; // the columns of these names
}
