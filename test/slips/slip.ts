/** What a slip is: one small wrong thing that happens to a file on its way, at a drawn place. */
import { gzipSync } from 'node:zlib';
import type { Chance } from '../chaos/chance.ts';
import { parquetOf } from './parquet-of.ts';
import {
  FORMS,
  type Content,
  type Form,
  type Role,
  type Sheet,
  columnOf,
  textOf,
  withCell,
} from './sheet.ts';

export interface Slip {
  readonly kind: string;
  readonly forms: readonly Form[];
  /** The only content that it happens to; absent if it happens to each. */
  readonly content?: Content;
  /** True if only the database can refuse it in costs: readers know neither days nor other rows. */
  readonly byDatabase?: true;
  /** Where it happens: in the cells, in their text, in the bytes of the text, or in the bytes of the file. Null: not here. */
  readonly inCells?: (sheet: Sheet, chance: Chance) => Sheet | null;
  readonly inText?: (text: string, chance: Chance, sheet: Sheet) => string | null;
  readonly inPlain?: (bytes: Buffer, chance: Chance) => Buffer | null;
  readonly inFile?: (bytes: Buffer, chance: Chance) => Buffer | null;
}

export const TEXTS: readonly Form[] = ['csv', 'csv.gz', 'standard input'];
export const LINES: readonly Form[] = [...TEXTS, 'ndjson'];
export const ALL: readonly Form[] = FORMS;

/** The bytes of the file with the slip; null if this draw has no place for it. */
export function slipped(slip: Slip, sheet: Sheet, chance: Chance): Buffer | null {
  const { inCells, inPlain, inFile } = slip;
  const cells = inCells === undefined ? sheet : inCells(sheet, chance);
  if (cells === null) return null;
  const written =
    sheet.form === 'parquet' ? parquetOf(cells.header, cells.rows) : plainOf(slip, cells, chance);
  const plain = written === null || inPlain === undefined ? written : inPlain(written, chance);
  const file = plain !== null && sheet.form === 'csv.gz' ? gzipSync(plain, { level: 1 }) : plain;
  return file === null || inFile === undefined ? file : inFile(file, chance);
}

function plainOf({ inText }: Slip, cells: Sheet, chance: Chance): Buffer | null {
  const text = textOf(cells);
  const changed = inText === undefined ? text : inText(text, chance, cells);
  return changed === null || (inText !== undefined && changed === text) ? null : Buffer.from(changed);
}

/** A slip of the cell of a role, in a drawn row. */
export function inCell(
  kind: string,
  role: Role,
  change: (cell: string, chance: Chance) => string,
  more: Partial<Slip> = {},
): Slip {
  const inCells = (sheet: Sheet, chance: Chance): Sheet | null => {
    const row = chance.below(sheet.rows.length);
    const column = columnOf(sheet, role);
    const before = sheet.rows[row]?.[column] ?? '';
    const cell = change(before, chance);
    return cell === before ? null : withCell(sheet, row, column, cell);
  };
  return { kind, forms: ALL, inCells, ...more };
}

/** A slip of a drawn row. */
export function inRow(
  kind: string,
  change: (cells: readonly string[], chance: Chance, sheet: Sheet) => readonly string[],
  more: Partial<Slip> = {},
): Slip {
  const inCells = (sheet: Sheet, chance: Chance): Sheet => {
    const row = chance.below(sheet.rows.length);
    return { ...sheet, rows: sheet.rows.with(row, change(sheet.rows[row] ?? [], chance, sheet)) };
  };
  return { kind, forms: TEXTS, inCells, ...more };
}

/** A slip of the header. */
export function inHeader(
  kind: string,
  change: (names: readonly string[], chance: Chance, sheet: Sheet) => readonly string[],
  more: Partial<Slip> = {},
): Slip {
  const inCells = (sheet: Sheet, chance: Chance): Sheet => ({
    ...sheet,
    header: change(sheet.header, chance, sheet),
  });
  return { kind, forms: TEXTS, inCells, ...more };
}

/** A slip of the rows as a whole. */
export function inRows(
  kind: string,
  change: (rows: Sheet['rows'], chance: Chance, sheet: Sheet) => Sheet['rows'] | null,
  more: Partial<Slip> = {},
): Slip {
  const inCells = (sheet: Sheet, chance: Chance): Sheet | null => {
    const rows = change(sheet.rows, chance, sheet);
    return rows === null ? null : { ...sheet, rows };
  };
  return { kind, forms: ALL, inCells, ...more };
}

/** A slip of a mark in a drawn cell of text, which is then written as other text. */
export function inWord(
  kind: string,
  word: string,
  becomes: (separator: string) => string,
  quotesAll: boolean,
): Slip {
  return {
    kind,
    forms: TEXTS,
    inCells: (sheet, chance) => ({
      ...withCell(sheet, chance.below(sheet.rows.length), columnOf(sheet, 'text'), word),
      dialect: { ...sheet.dialect, quotesAll },
    }),
    inText: (text, _, { dialect }) => text.replace(word, () => becomes(dialect.separator)),
  };
}

/** Names without line breaks, so that each line end of the text ends a row. */
export function withoutBreaks(sheet: Sheet): Sheet {
  return { ...sheet, rows: sheet.rows.map((row) => row.map((cell) => cell.replaceAll(/[\r\n]/g, ' '))) };
}

/** A text with other text in place of a part. */
export function spliced(text: string, at: number, removed: number, added = ''): string {
  return `${text.slice(0, at)}${added}${text.slice(at + removed)}`;
}

/** A drawn place of one text in another; null if it has none. */
export function placeIn(text: string, part: string, chance: Chance): number | null {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places.length === 0 ? null : chance.oneOf(places);
}
