/** Rows in the text format of COPY. */

/** One protocol message per row would cost more than the row itself. */
export const COPY_CHARACTERS = 64 * 1024;

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The cells of a row; null is a cell without a value. */
export type CopyCells = readonly (string | null)[];

export function copyLine(cells: CopyCells): string {
  return `${cells.map(copyText).join('\t')}\n`;
}

/** The lines of the rows, in messages of about `COPY_CHARACTERS`. */
export function* copyLines(rows: Iterable<CopyCells>): Generator<string> {
  let lines = '';
  for (const cells of rows) {
    lines += copyLine(cells);
    if (lines.length < COPY_CHARACTERS) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

function copyText(cell: string | null): string {
  if (cell === null) return '\\N';
  // Few cells have such a character, and to look for one takes half as long as to replace none.
  return SPECIAL.test(cell) ? cell.replaceAll(EACH_SPECIAL, (character) => ESCAPES[character] ?? '') : cell;
}
