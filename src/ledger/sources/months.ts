/** Months in columns of days: people write a period of whole months as `2026-03`. */
import { lastOfMonth } from '../../figures/calendar.ts';

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Days that begin whole months: `month`, `period_start`, `effective_from`. */
const FIRST_DAY = /(?:^|_)month$|^period_start$|^effective_from$/;
/** Days that end whole months. */
const LAST_DAY = /^(?:period_end|ends_on)$/;

/** The first or the last day of a month in the columns that begin or end one; any other text, or column, is left as it is. */
export function dayOfMonth(column: string, cell: string): string {
  if (!MONTH.test(cell)) return cell;
  if (FIRST_DAY.test(column)) return `${cell}-01`;
  return LAST_DAY.test(column) ? lastOfMonth(`${cell}-01`) : cell;
}
