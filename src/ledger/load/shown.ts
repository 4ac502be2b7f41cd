/** What of a cell a fault may repeat. */
import type { LoadTable } from './catalogue.ts';

/** The cell, or a mark in its place where it stands in the vault: secrets never reach a terminal. Keys are none. */
export function shownValue(
  table: LoadTable,
  column: string | null,
  value: string | null | undefined,
): string | null {
  if (value === null || value === undefined) return null;
  const isSecret = table.schema === 'vault' && !table.key.includes(column ?? '');
  return isSecret ? '(not shown)' : value;
}
