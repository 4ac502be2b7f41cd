/** Months in columns of days: people write a period of whole months as `2026-03`. */
import { lastOfMonth } from '../../figures/calendar.ts';

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** The first day of a month in `period_start`, its last day in `period_end`; any other text, or column, is left as it is. */
export function dayOfMonth(column: string, cell: string): string {
  if (!MONTH.test(cell)) return cell;
  if (column === 'period_start') return `${cell}-01`;
  return column === 'period_end' ? lastOfMonth(`${cell}-01`) : cell;
}
