/** A row of a file of any form, and the error of a file that cannot be read. */

export type CsvCells = readonly (string | null)[];

export interface CsvRow {
  /** The line on which the row begins; the header is on line 1. */
  readonly line: number;
  readonly cells: CsvCells;
  /** The indexes of the cells that their file has as numbers, not as text; absent if there are none. */
  readonly numbers?: ReadonlySet<number>;
  /** The indexes of the cells that their file has as objects or lists, given as JSON; absent if there are none. */
  readonly nested?: ReadonlySet<number>;
  /** True if its text was looked through, and has no lost letter and no U+0000. */
  readonly isWhole?: boolean;
  /** Why the row cannot be used; absent for a row that can. */
  readonly fault?: RowFault;
}

/** What is expected of a cell of `nested` in a column of no JSON. */
export const PLAIN_VALUE = 'a plain value, not an object or a list';

export interface RowFault {
  /** The index of the first wrong cell; null if the fault is of the whole row. */
  readonly index: number | null;
  readonly expected: string;
}

/** The file cannot be read from some row on, or at all. */
export class CsvBroken extends Error {
  /** Null if the fault is of the whole file. */
  readonly line: number | null;
  readonly column: string | null;

  constructor(line: number | null, message: string, cause: unknown, column: string | null = null) {
    super(message, { cause });
    this.line = line;
    this.column = column;
  }
}
