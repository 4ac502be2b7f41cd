/** Splits a whole number of cents over exact parts, so that the shares add up to it: the largest remainder gets the next cent. */

/**
 * The shares of `total`, in the order of the parts. A part counts fractions of a cent: `unit` of them are one cent. Each
 * share is its part rounded down. The cents that are left go to the parts with the largest remainders; of two equal
 * remainders, the first gets the cent. Throws if `total` is not the rounded sum of the parts.
 */
export function spread(total: bigint, parts: readonly bigint[], unit: bigint): readonly bigint[] {
  const shares = parts.map((part) => floorDivide(part, unit));
  const remainders = parts.map((part, index) => part - (shares[index] ?? 0n) * unit);
  let left = total - shares.reduce((sum, share) => sum + share, 0n);
  const order = [...parts.keys()].toSorted((a, b) => compare(remainders[b] ?? 0n, remainders[a] ?? 0n));
  for (const index of order) {
    if (left === 0n) break;
    shares[index] = (shares[index] ?? 0n) + 1n;
    left -= 1n;
  }
  if (left !== 0n) throw new RangeError(`${total} cents are not the rounded sum of the parts`);
  return shares;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
