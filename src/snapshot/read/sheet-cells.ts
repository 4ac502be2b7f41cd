/** Amounts, moments and names as a spreadsheet takes them: numbers it can add, days it can sort, titles people know. */
import type { Column } from '../../tables/table.ts';

/** How a table is written for people instead of programs. */
export interface Sheet {
  /** The head of a column. */
  readonly headOf: (column: Column) => string;
  /** A column of ids that have names gets a column of names beside it. */
  readonly names: Names;
}

/** The names of what rows refer to by id; empty if they cannot be read. */
export interface Names {
  readonly initiatives: ReadonlyMap<unknown, string>;
  readonly vendors: ReadonlyMap<unknown, string>;
}

/** The names of the ids in a column; null for any other column. */
export function namesIn(
  { name, references }: Pick<Column, 'name' | 'references'>,
  names: Names,
): ReadonlyMap<unknown, string> | null {
  if (references === 'initiatives') return names.initiatives;
  return name === 'vendor_id' ? names.vendors : null;
}

/** The digits after the point of an amount in cents. */
export const CENT_DIGITS = 2;
const MIDNIGHT = 'T00:00:00.000000Z';

/** An instant in UTC: its day at midnight, else day and time to the second: `2026-06-01`, `2026-06-01 14:03:09`. */
export function sheetMoment(instant: string): string {
  const day = instant.slice(0, 'YYYY-MM-DD'.length);
  if (instant.endsWith(MIDNIGHT)) return day;
  return `${day} ${instant.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM:SS'.length)}`;
}

/** The amount with that many digits after the point, exact for every amount. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
