/** Counts, sums and fingerprints of rows, as PostgreSQL would state them. */
import { createHash } from 'node:crypto';
import type { MutableRow } from './audited-rows.ts';

type Cell = MutableRow[string];
type Say = (row: MutableRow) => Cell | undefined;

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

export function groups(rows: readonly MutableRow[] = [], by: readonly string[]) {
  const found = Map.groupBy(rows, (row) => JSON.stringify(by.map((name) => row[name])));
  return [...found.values()].map((group) => ({
    key: Object.fromEntries(by.map((name) => [name, String(group[0]?.[name])])),
    rows: group,
  }));
}

export function count(rows: readonly MutableRow[], column: string): string {
  return String(rows.filter((row) => row[column] !== null).length);
}

export function trues(rows: readonly MutableRow[], column: string): string {
  return String(rows.filter((row) => row[column] === true).length);
}

export function sum(rows: readonly MutableRow[], column: string, where: Say = () => true): string {
  return String(rows.filter(where).reduce((total, row) => total + ((row[column] ?? 0n) as bigint), 0n));
}

export function least(rows: readonly MutableRow[], id: string): string {
  return String(rows.map((row) => row[id] as bigint).reduce((a, b) => (a < b ? a : b)));
}

export function greatest(rows: readonly MutableRow[], id: string): string {
  return String(rows.map((row) => row[id] as bigint).reduce((a, b) => (a > b ? a : b)));
}

export function fingerprint(rows: readonly MutableRow[], columns: string): string {
  const bits = rows.map((row) => {
    const parts = columns.split(' ').map((name) => part(name, row[name] ?? null));
    return BigInt(`0x${md5(parts.join('\u001F')).slice(0, 15)}`);
  });
  return String(bits.reduce((a, b) => a + b, 0n));
}

/** A cell as PostgreSQL writes it: rates with ten decimals, a period as its day, an instant in microseconds. */
function part(column: string, cell: Cell): string {
  if (cell === null) return '';
  if (column === 'usd_rate') return (cell as number).toFixed(10);
  if (column === 'confidence_score') return String(Math.floor((cell as number) * 1_000_000));
  if (column === 'period_start' || column === 'period_end') {
    return new Date(Number((cell as bigint) / 1000n)).toISOString().slice(0, 10);
  }
  return String(cell);
}
