/** The windows of an initiative or of the portfolio that moved between two snapshots, and why. */
import type { Change } from './change.ts';
import type { SnapshotDiff } from './diff-cache.ts';

/** How many rows one read returns. Most initiatives have fewer windows: one for each quarter and year since their first entry. */
const ROWS = 100;
const TOTALS = 'reported_totals';

/** The changed totals of an initiative, or of the portfolio for null. Rows are in the order of initiatives; the portfolio is last. */
export async function readMovedTotals(diff: SnapshotDiff, id: bigint | null): Promise<readonly Change[]> {
  const found: Change[] = [];
  for (let first: number | null = await firstOf(diff, id); first !== null;) {
    const { changes, next } = await diff.page(first, ROWS, TOTALS);
    const own = changes.filter(({ key }) => idOf(key) === id);
    found.push(...own);
    first = own.length < changes.length ? null : next;
  }
  return found;
}

/**
 * The index of the first of these changed totals, by binary search. Rows are sorted by key, the scope comes first in the key, and
 * `initiative` sorts before `portfolio`. A large account has thousands of changed rows of initiatives.
 */
async function firstOf(diff: SnapshotDiff, id: bigint | null): Promise<number> {
  const table = diff.tables.find(({ name }) => name === TOTALS);
  let low = 0;
  let high = table === undefined ? 0 : table.added + table.removed + table.changed;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [change] = (await diff.page(middle, 1, TOTALS)).changes;
    const its = change === undefined ? null : idOf(change.key);
    if (its === null || (id !== null && its >= id)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The initiative of a changed total; null for one of the portfolio. */
function idOf({ scope, initiative_id }: Change['key']): bigint | null {
  return scope === 'initiative' ? BigInt(String(initiative_id)) : null;
}
