/** When a cell of FOCUS is empty. */
import { isBlank } from '../sources/whole-rows.ts';

const UPPER_N = 78;
const LOWER_N = 110;
/** Exports of databases write the word for an empty cell. */
const NULL = /^\s*null\s*$/i;

/** True for a cell without text: null, `""`, blanks, or the word NULL. */
export function isEmpty(cell: string | null | undefined): boolean {
  if (cell !== null && cell !== undefined && beginsOther(cell.charCodeAt(0))) return false;
  return isBlank(cell) || NULL.test(cell ?? '');
}

/** True for a first character of ASCII that is no blank and no N: a bill has millions of such cells. */
function beginsOther(code: number): boolean {
  const isShown = code > 0x20 && code < 0x7f;
  return isShown && code !== UPPER_N && code !== LOWER_N;
}
