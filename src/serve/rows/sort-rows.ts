/** Sorts the rows of a view in short steps, so that a large table does not hold up other requests. */
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { RowOrder } from './row-query.ts';

/** How many rows are sorted or merged between two turns of other work: 2 to 5 ms, also of long texts. */
const STEP_ROWS = 2_048;

/**
 * The places of the values in their order: missing values come last in both directions, and equal values keep their order.
 * Runs of rows are sorted, and then merged two by two; `turn` yields to other work.
 */
export async function sortedPlaces(
  values: readonly FieldValue[],
  { descending }: Pick<RowOrder, 'descending'>,
  turn: () => Promise<void>,
): Promise<Uint32Array> {
  const compare = (a: number, b: number): number => {
    const [left, right] = [values[a] ?? null, values[b] ?? null];
    if (left === null || right === null) {
      return left === right ? a - b : left === null ? 1 : -1;
    }
    const sign = descending ? compareValues(right, left) : compareValues(left, right);
    return sign === 0 ? a - b : sign;
  };
  let sorted = Uint32Array.from(values.keys());
  for (let start = 0; start < sorted.length; start += STEP_ROWS) {
    sorted.subarray(start, start + STEP_ROWS).sort(compare);
    await turn();
  }
  let merged = new Uint32Array(sorted.length);
  for (let width = STEP_ROWS; width < sorted.length; width *= 2) {
    for (let start = 0; start < sorted.length; start += 2 * width) {
      const middle = Math.min(start + width, sorted.length);
      const end = Math.min(middle + width, sorted.length);
      let [left, right] = [start, middle];
      for (let place = start; place < end; place += 1) {
        const takesLeft =
          right >= end || (left < middle && compare(sorted[left] ?? 0, sorted[right] ?? 0) <= 0);
        merged[place] = sorted[takesLeft ? left++ : right++] ?? 0;
        if (place % STEP_ROWS === STEP_ROWS - 1) await turn();
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** The order of two values of one kind; texts by code points, as PostgreSQL's `C` collation and DuckDB order them. */
export function compareValues(a: NonNullable<FieldValue>, b: NonNullable<FieldValue>): number {
  if (a === b) return 0;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let place = 0; place < length; place += 1) {
    const [left, right] = [a.charCodeAt(place), b.charCodeAt(place)];
    if (left === right) continue;
    // A surrogate is half of a code point above U+FFFF. By its number it would come before U+E000.
    const isAbove = [isSurrogate(left), isSurrogate(right)];
    if (isAbove[0] !== isAbove[1]) return isAbove[0] === true ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
