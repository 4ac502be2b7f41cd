/** Sorts the rows of a view in short steps, so that a large table does not hold up other requests. */
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { RowOrder } from './row-query.ts';

/** How many rows are sorted or merged between two turns of other work: 2 to 5 ms, also of long texts. */
const STEP_ROWS = 2_048;
/** How many ids or amounts are read or moved between two turns: 1 to 3 ms. */
const NUMBER_ROWS = 65_536;
/** Numbers are sorted by so many bits at a time, the last bits first. */
const DIGIT_BITS = 11;

/**
 * The indexes of the values in their order: missing values come last in both directions, and equal values keep their order.
 * Numbers are sorted digit by digit. Other values are sorted in runs, which are then merged two by two. `turn` yields to other
 * work.
 */
export async function sortedPlaces(
  values: readonly FieldValue[],
  { descending }: Pick<RowOrder, 'descending'>,
  turn: () => Promise<void>,
): Promise<Uint32Array> {
  const ranks = await ranksOf(values, descending, turn);
  return await (ranks === null ? sortedByRuns(values, descending, turn) : sortedByDigits(ranks, turn));
}

async function sortedByRuns(
  values: readonly FieldValue[],
  descending: boolean,
  turn: () => Promise<void>,
): Promise<Uint32Array> {
  const compare = valueOrder(values, descending);
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
      for (let index = start; index < end; index += 1) {
        const takesLeft =
          right >= end || (left < middle && compare(sorted[left] ?? 0, sorted[right] ?? 0) <= 0);
        merged[index] = sorted[takesLeft ? left++ : right++] ?? 0;
        if (index % STEP_ROWS === STEP_ROWS - 1) await turn();
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

function valueOrder(values: readonly FieldValue[], descending: boolean): (a: number, b: number) => number {
  return (a, b) => {
    const [left, right] = [values[a] ?? null, values[b] ?? null];
    if (left === null || right === null) {
      return left === right ? a - b : left === null ? 1 : -1;
    }
    const sign = descending ? compareValues(right, left) : compareValues(left, right);
    return sign === 0 ? a - b : sign;
  };
}

/** Whole numbers from 0 that rise in the order of the view. */
interface Ranks {
  readonly ranks: Float64Array;
  readonly greatest: number;
}

/** The ranks of ids and amounts, the greatest for missing ones; null for values of another kind, and where a rank is not exact. */
async function ranksOf(
  values: readonly FieldValue[],
  descending: boolean,
  turn: () => Promise<void>,
): Promise<Ranks | null> {
  const ranks = new Float64Array(values.length);
  let [least, most] = [Infinity, -Infinity];
  let isOther = false;
  await inSteps(values.length, turn, (from, to) => {
    for (let index = from; index < to && !isOther; index += 1) {
      const value = values[index] ?? null;
      isOther = value !== null && typeof value !== 'bigint';
      const number = value === null ? NaN : descending ? -Number(value) : Number(value);
      if (number < least) least = number;
      if (number > most) most = number;
      ranks[index] = number;
    }
  });
  const greatest = Math.max(0, most - least + 1);
  const isExact = [least, most, greatest].every(
    (each) => Number.isSafeInteger(each) || !Number.isFinite(each),
  );
  if (isOther || !isExact) return null;
  await inSteps(ranks.length, turn, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const number = ranks[index] ?? 0;
      ranks[index] = Number.isNaN(number) ? greatest : number - least;
    }
  });
  return { ranks, greatest };
}

/** Equal digits keep the order of the digits after them, so that after the first digit all are in order. */
async function sortedByDigits({ ranks, greatest }: Ranks, turn: () => Promise<void>): Promise<Uint32Array> {
  const digits = 2 ** DIGIT_BITS;
  let sorted = new Uint32Array(ranks.length).map((_, index) => index);
  let moved = new Uint32Array(ranks.length);
  for (let unit = 1; unit <= greatest; unit *= digits) {
    // `&` takes the last bits of a whole number of up to 53 bits.
    const digitOf = (index: number): number => ((ranks[index] ?? 0) / unit) & (digits - 1);
    const ends = new Uint32Array(digits + 1);
    await inSteps(ranks.length, turn, (from, to) => {
      for (let index = from; index < to; index += 1) {
        const next = digitOf(index) + 1;
        ends[next] = (ends[next] ?? 0) + 1;
      }
    });
    for (let digit = 1; digit <= digits; digit += 1)
      ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0);
    const [before, after] = [sorted, moved];
    await inSteps(before.length, turn, (from, to) => {
      for (let at = from; at < to; at += 1) {
        const index = before[at] ?? 0;
        const digit = digitOf(index);
        const end = ends[digit] ?? 0;
        after[end] = index;
        ends[digit] = end + 1;
      }
    });
    [sorted, moved] = [after, before];
  }
  return sorted;
}

async function inSteps(
  count: number,
  turn: () => Promise<void>,
  step: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += NUMBER_ROWS) {
    step(from, Math.min(from + NUMBER_ROWS, count));
    await turn();
  }
}

/** The order of two values of one kind; texts by code points, as PostgreSQL's `C` collation and DuckDB order them. */
export function compareValues(a: NonNullable<FieldValue>, b: NonNullable<FieldValue>): number {
  if (a === b) return 0;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return a < b ? -1 : 1;
}

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
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
