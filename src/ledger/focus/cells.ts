/** When a cell of FOCUS is empty. */
import { isBlank } from '../sources/whole-rows.ts';

/** Exports of databases write the word for an empty cell. */
const NULL = /^\s*null\s*$/i;

/** True for a cell without text: null, `""`, blanks, or the word NULL. */
export function isEmpty(cell: string | null | undefined): boolean {
  return isBlank(cell) || NULL.test(cell ?? '');
}
