/** When a cell of FOCUS is empty. */
import { isBlank } from '../sources/whole-rows.ts';

/** Exports of databases write the word for an empty cell. */
const NULL = /^\s*null\s*$/i;

const OTHER = /^[a-mo-z\d]/i;

/** True for a cell without text: null, `""`, blanks, or the word NULL. */
export function isEmpty(cell: string | null | undefined): boolean {
  // Most cells begin with a letter or digit of another text; a bill has millions of them.
  if (cell !== null && cell !== undefined && OTHER.test(cell)) return false;
  return isBlank(cell) || NULL.test(cell ?? '');
}
