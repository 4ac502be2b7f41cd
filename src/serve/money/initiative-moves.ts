/** The windows of one initiative that moved between two snapshots, and why. */
import type { Change } from '../../diff/change.ts';
import type { SnapshotDiff } from '../../diff/diff-cache.ts';

/** Rows of one read. An initiative has a window for each quarter and year since its first entry. */
const ROWS = 100;
const TOTALS = 'reported_totals';

/** The initiative's changed totals. Rows are sorted by scope, then by initiative, and `initiative` sorts before `portfolio`. */
export async function readInitiativeMoves(diff: SnapshotDiff, id: bigint): Promise<readonly Change[]> {
  const found: Change[] = [];
  for (let first: number | null = await firstOf(diff, id); first !== null;) {
    const { changes, next } = await diff.page(first, ROWS, TOTALS);
    const own = changes.filter(({ key }) => idOf(key) === id);
    found.push(...own);
    first = own.length < changes.length ? null : next;
  }
  return found;
}

/** The index of the first changed total that is not of an initiative with a smaller id, by binary search. */
async function firstOf(diff: SnapshotDiff, id: bigint): Promise<number> {
  const table = diff.tables.find(({ name }) => name === TOTALS);
  let low = 0;
  let high = table === undefined ? 0 : table.added + table.removed + table.changed;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [change] = (await diff.page(middle, 1, TOTALS)).changes;
    const its = change === undefined ? null : idOf(change.key);
    if (its === null || its >= id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The initiative of a changed total; null for one of the portfolio. */
function idOf({ scope, initiative_id }: Change['key']): bigint | null {
  return scope === 'initiative' ? BigInt(String(initiative_id)) : null;
}
