/** Cuts CSV into rows, and rows into cells, by RFC 4180. */

const QUOTE = 34;
const NEWLINE = 10;
const RETURN = 13;

/** The text of a row, without its line end. */
export interface RowText {
  readonly text: string;
  /** True if the row is longer than the limit, and `text` only its beginning. */
  readonly isCut: boolean;
}

/**
 * Yields the rows of each piece that is read. A line end within quotes is no end of a row. The texts are decoded row by row:
 * a cell that is kept keeps only its row in memory.
 */
export async function* rowTexts(
  pieces: AsyncIterable<Buffer>,
  max_bytes: number,
): AsyncGenerator<readonly RowText[]> {
  let open: Buffer[] = [];
  let size = 0;
  let isQuoted = false;
  const textOf = (piece: Buffer, start: number, end: number): string => {
    if (size === 0) return piece.toString('utf8', start, end);
    const joined = Buffer.concat([...open, piece.subarray(start, end)]);
    open = [];
    size = 0;
    return joined.toString('utf8');
  };
  for await (const piece of pieces) {
    const rows: RowText[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) {
        const isCut = size + at - start > max_bytes;
        rows.push({ text: withoutReturn(textOf(piece, start, at)), isCut });
        start = at + 1;
      }
    }
    if (start < piece.length) {
      open.push(piece.subarray(start));
      size += piece.length - start;
    }
    if (size > max_bytes) rows.push({ text: textOf(piece, 0, 0), isCut: true });
    if (rows.length > 0) yield rows;
  }
  if (size > 0) yield [{ text: Buffer.concat(open).toString('utf8'), isCut: false }];
}

function withoutReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === RETURN ? text.slice(0, -1) : text;
}

/** Why a row is no CSV. */
export type BrokenRow = 'open quote' | 'text after a quote' | 'quote within text' | 'return alone';

export type RowCells =
  | { readonly cells: (string | null)[] }
  | { readonly broken: BrokenRow; readonly index: number };

/** The cells of a row: null without quotes and text, `""` for two quotes; or the first fault, and the index of its cell. */
export function cellsOfRow(text: string, delimiter: string): RowCells {
  if (!text.includes('"')) {
    if (text.includes('\r')) return { broken: 'return alone', index: 0 };
    return { cells: text.split(delimiter).map((cell) => (cell === '' ? null : cell)) };
  }
  const cells: (string | null)[] = [];
  const broken = (why: BrokenRow): RowCells => ({ broken: why, index: cells.length });
  for (let at = 0; ; at += 1) {
    if (text.charCodeAt(at) === QUOTE) {
      const begin = at + 1;
      let end = text.indexOf('"', begin);
      let isDoubled = false;
      for (; end !== -1 && text.charCodeAt(end + 1) === QUOTE; end = text.indexOf('"', end + 2))
        isDoubled = true;
      if (end === -1) return broken('open quote');
      at = end + 1;
      if (at < text.length && text[at] !== delimiter) return broken('text after a quote');
      const cell = text.slice(begin, end);
      cells.push(isDoubled ? cell.replaceAll('""', '"') : cell);
    } else {
      const begin = at;
      at = text.indexOf(delimiter, begin);
      if (at === -1) at = text.length;
      const cell = text.slice(begin, at);
      if (cell.includes('"')) return broken('quote within text');
      if (cell.includes('\r')) return broken('return alone');
      cells.push(cell === '' ? null : cell);
    }
    if (at === text.length) return { cells };
  }
}
