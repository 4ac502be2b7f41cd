/** Turns the exact sums of bills into cents that add up to the totals of their files. */
import { divideRounded } from '../../figures/cents.ts';
import { spread } from '../../figures/spread.ts';
import type { Bill } from './charge.ts';
import { UNITS_PER_CENT } from './decimals.ts';
import type { FocusSums } from './read-files.ts';

/**
 * The bills in cents. The total of each month and currency is rounded once. Then its cents are distributed over the bills and
 * their parts by largest remainder, so that the parts add up to the total.
 */
export function inCents({ bills, totals }: FocusSums): readonly Bill<bigint>[] {
  const sorted = [...bills].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, bill]) => bill);
  return [...totals].flatMap(([period, total]) => {
    const own = sorted.filter(({ month, currency }) => `${month} ${currency}` === period);
    const shares = spread(
      divideRounded(total, UNITS_PER_CENT),
      own.map((bill) => bill.total),
      UNITS_PER_CENT,
    );
    return own.map((bill, index) => centsOfBill(bill, shares[index] ?? 0n));
  });
}

function centsOfBill(bill: Bill<bigint>, total: bigint): Bill<bigint> {
  const parts = [...bill.parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shares = spread(
    total,
    parts.flatMap(([, { ai, other }]) => [ai, other]),
    UNITS_PER_CENT,
  );
  const cents = parts.map(
    ([name, part], index) =>
      [name, { ...part, ai: shares[2 * index] ?? 0n, other: shares[2 * index + 1] ?? 0n }] as const,
  );
  return { ...bill, total, parts: new Map(cents) };
}
