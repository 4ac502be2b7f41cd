/** The rules of the rows of every file, in every format. */
import type { CsvCells, CsvRow, RowFault } from '../staging/row.ts';

const LOST = '\uFFFD';

interface Header {
  readonly all: number;
  readonly named: number;
}

/**
 * Yields the header and the rows, as many at once as it is given. A row that breaks a rule has a fault: a row has as many cells as
 * the header, a column stands once and has a name, a text has no lost letter. Empty rows and columns at the end are left out
 * and counted.
 */
export async function* wholeRows(
  pieces: AsyncIterable<readonly CsvRow[]>,
  onLeftOut: (what: string) => void,
): AsyncGenerator<readonly CsvRow[]> {
  let header: Header | null = null;
  let before: CsvCells = [];
  let empty = 0;
  let firstEmpty = 0;
  for await (const rows of pieces) {
    const kept: CsvRow[] = [];
    for (const row of rows) {
      if (header === null) {
        const named = row.cells.findLastIndex((cell) => !isBlank(cell)) + 1;
        header = { all: row.cells.length, named };
        const cells = row.cells.slice(0, named);
        const fault = headerFault(cells);
        kept.push({ ...row, cells, ...(fault && { fault }) });
      } else if (isEmptyRow(row.cells, header.all)) {
        if (empty === 0) firstEmpty = row.line;
        empty += 1;
      } else {
        if (empty > 0) {
          const expected = 'a row with values: rows may be empty only at the end of a file';
          kept.push({ line: firstEmpty, cells: [], fault: { index: null, expected } });
          empty = 0;
        }
        const next = judged(row, header, before);
        if (next.fault === undefined) before = row.cells;
        kept.push(next);
      }
    }
    yield kept;
  }
  if (empty > 0) onLeftOut(`${empty} empty ${empty === 1 ? 'row' : 'rows'} at its end`);
  const columns = header === null ? 0 : header.all - header.named;
  if (columns > 0) onLeftOut(`${columns} empty ${columns === 1 ? 'column' : 'columns'} at its end`);
}

function judged(row: CsvRow, header: Header, before: CsvCells): CsvRow {
  const fault = rowFault(row, header, before);
  if (fault !== null) return { ...row, fault };
  return header.named === header.all ? row : { ...row, cells: row.cells.slice(0, header.named) };
}

/** True for a cell without text: null, `""`, or blanks. */
export function isBlank(cell: string | null | undefined): boolean {
  return cell === null || cell === undefined || cell.trim() === '';
}

/** True for a line without text, and for a row of blanks; fewer blanks are what is left of a row that is cut. */
function isEmptyRow(cells: CsvCells, all: number): boolean {
  const isLine = cells.length === 0 || (cells.length === 1 && cells[0] !== '');
  return (isLine || cells.length === all) && cells.every(isBlank);
}

function headerFault(names: CsvCells): RowFault | null {
  if (names.length === 0) return { index: null, expected: 'a header row with column names' };
  const seen = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    if (isBlank(name))
      return { index, expected: `a name for column ${index + 1}, which the header leaves empty` };
    const fault = textFault(name ?? '', index);
    if (fault !== null) return fault;
    const key = (name ?? '').trim().toLowerCase();
    const first = seen.get(key);
    if (first !== undefined)
      return { index, expected: `each column once: columns ${first + 1} and ${index + 1} have one name` };
    seen.set(key, index);
  }
  return null;
}

function rowFault(
  { cells, isWhole = false }: CsvRow,
  { all, named }: Header,
  before: CsvCells,
): RowFault | null {
  if (cells.length !== all) {
    const index = Math.min(cells.length, all);
    return { index, expected: `${all} cells as in the header, found ${cells.length}` };
  }
  for (let index = isWhole ? named : 0; index < all; index += 1) {
    const cell = cells[index];
    // What the row before has in its place was found whole; most cells of a Parquet file are such.
    if (cell === null || cell === undefined || cell === before[index]) continue;
    if (index >= named && !isBlank(cell))
      return { index, expected: `an empty cell: column ${index + 1} has no name in the header` };
    const fault = textFault(cell, index);
    if (fault !== null) return fault;
  }
  return null;
}

/** True for a text without a lost letter and U+0000. */
export function isWholeText(text: string): boolean {
  return !text.includes(LOST) && !text.includes('\0');
}

/** The fault of a text with a lost letter or U+0000; null for a whole text. */
export function textFault(cell: string, index: number): RowFault | null {
  if (cell.includes(LOST))
    return {
      index,
      expected: 'text in UTF-8, or in the encoding that --encoding names, such as windows-1252',
    };
  if (!cell.isWellFormed())
    return { index, expected: 'whole letters; the text is cut within one, as "\\ud83d" alone in JSON' };
  return cell.includes('\0') ? { index, expected: 'text without the character U+0000' } : null;
}
