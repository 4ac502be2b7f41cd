/** What moved between two snapshots, as the page of changes shows it: totals, steps, and changed entries by reason. */
import type { Change } from '../../diff/change.ts';
import { changesOf, type SnapshotDiff } from '../../diff/diff-cache.ts';
import {
  groupByReason,
  type MoveKind,
  type ReasonGroup,
  type Step,
  sumEffects,
  waterfallSteps,
} from '../../figures/waterfall.ts';
import { type MoveFold, openMoveFold } from '../../figures/moves-by-initiative.ts';
import { readChanges } from '../pages/changes-page.ts';
import type { WindowTotals } from './window-totals.ts';
import type { Instant } from '../../instant.ts';

/** The tables of entries, and what their entries are. */
export const ENTRY_TABLES = [
  ['reported_value', 'value'],
  ['costs', 'cost'],
] as const satisfies readonly (readonly [string, MoveKind])[];

/** A changed entry without its cells; `entriesWithCells` reads them from the comparison. */
export interface MovedEntry {
  readonly kind: MoveKind;
  readonly table: string;
  /** Its index among the changed rows of its table. */
  readonly index: number;
  readonly reason: string;
  readonly net: bigint;
}

export interface Moves {
  readonly tables: SnapshotDiff['tables'];
  /** The windows of the portfolio that moved. */
  readonly totals: readonly Change[];
  readonly groups: readonly ReasonGroup<MovedEntry>[];
  /** What the changed entries of each reason add, by initiative. */
  readonly by_initiative: MoveFold;
}

/** Reads every changed entry once. */
export async function readMoves(diff: SnapshotDiff): Promise<Moves> {
  const entries: MovedEntry[] = [];
  const by_initiative = openMoveFold();
  for (const [table, kind] of ENTRY_TABLES) {
    let index = 0;
    for await (const { reason, effects } of changesOf(diff, table)) {
      entries.push({ kind, table, index, reason: reason ?? '', net: sumEffects(effects).net_value });
      by_initiative.add(kind, reason ?? '', effects);
      index += 1;
    }
  }
  return { ...(await readChanges(diff)), groups: groupByReason(entries), by_initiative };
}

/** Some of the changed entries in the order of the groups, with their cells. */
export async function entriesWithCells(
  diff: SnapshotDiff,
  groups: Moves['groups'],
  [first, end]: readonly [first: number, end: number],
): Promise<readonly { readonly entry: MovedEntry; readonly change: Change }[]> {
  const wanted = groups.flatMap(({ entries }) => entries).slice(first, end);
  const found = await Promise.all(
    wanted.map(async (entry) => {
      const [change] = (await diff.page(entry.index, 1, entry.table)).changes;
      return change === undefined ? [] : [{ entry, change }];
    }),
  );
  return found.flat();
}

/** The windows whose cost or cash value moved: the running fiscal year first, then newer before older, all time last. */
export function movedWindows(
  { totals }: Pick<Moves, 'totals'>,
  known: ReadonlyMap<string, WindowTotals>,
): readonly string[] {
  const keys = totals
    .filter(({ moved }) =>
      moved.some(({ figure }) => figure === 'cost_cents' || figure === 'cash_value_cents'),
    )
    .map(({ key }) => String(key['window_key']));
  const rank = (key: string): number => {
    const window = known.get(key);
    if (key === 'all') return 2;
    return window?.window_kind === 'fiscal_year' && !window.complete ? 0 : 1;
  };
  return keys.toSorted((a, b) => rank(a) - rank(b) || (a < b ? 1 : -1));
}

/** The steps of net value in a window. */
export function stepsOf(
  { totals }: Pick<Moves, 'totals'>,
  window_key: string,
  before: Instant,
): readonly Step[] {
  const moved = totals.find(({ key }) => key['window_key'] === window_key)?.moved ?? [];
  const partsOf = (figure: string) =>
    (moved.find((move) => move.figure === figure)?.because ?? []).map(({ reason, cents, entries }) => ({
      reason,
      cents: BigInt(cents),
      entries,
    }));
  return waterfallSteps(before, partsOf('cash_value_cents'), partsOf('cost_cents'));
}
