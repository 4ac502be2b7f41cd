/** Adds up the amounts of a file while its rows are read. */
import type { LoadColumn } from '../staging/load-table.ts';
import type { Sums } from '../staging/mode.ts';

const INTEGER = /^-?\d+$/;

/** Adds up the amounts of a file while its rows are read; null for a file without amounts. */
export function openSums(
  given: readonly LoadColumn[],
): { readonly add: (cells: readonly (string | null)[]) => void; readonly sums: () => Sums | null } | null {
  const amount = given.findIndex(({ name }) => name === 'amount_cents');
  const currency = given.findIndex(({ name }) => name === 'currency');
  if (amount === -1) return null;
  const sums = new Map<string, bigint>();
  let isKnown = true;
  const add = (cells: readonly (string | null)[]): void => {
    const cents = cells[amount] ?? null;
    if (cents === null) return;
    const key = cells[currency] ?? '';
    // PostgreSQL takes further forms of whole numbers; then the sums of the file are not known.
    if (INTEGER.test(cents)) sums.set(key, (sums.get(key) ?? 0n) + BigInt(cents));
    else isKnown = false;
  };
  return { add, sums: () => (isKnown ? sums : null) };
}
