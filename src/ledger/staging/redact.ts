/** Redacts the cells that a fault may show. */
import type { LoadTable } from './load-table.ts';

/** The cell, or a placeholder for a cell of the vault: secrets must not reach a terminal. Keys are no secrets. */
export function redacted(
  table: LoadTable,
  column: string | null,
  value: string | null | undefined,
): string | null {
  if (value === null || value === undefined) return null;
  const isSecret = table.schema === 'vault' && !table.key.includes(column ?? '');
  return isSecret ? '(not shown)' : value;
}
