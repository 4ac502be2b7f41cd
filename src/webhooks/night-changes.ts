/** What changed since the snapshot before that people want to hear of: the account's totals, and budgets that were passed. */
import { z } from 'zod';
import { isCrossfootError } from '../errors.ts';
import type { PublishedPair } from '../snapshot/format/comparison.ts';
import { secondOfSnapshotId } from '../snapshot/format/snapshot-id.ts';
import { readChangedRows, readComparison } from '../snapshot/read/read-comparison.ts';
import type { StoreReader } from '../store/store.ts';
import { formatInstant } from '../time.ts';

/** The totals that are watched; the others follow from them. */
const WATCHED = ['cash_value_cents', 'freed_capacity_cents', 'cost_cents'] as const;
const NEW_LINE = 10;

const budgetCells = z.object({
  status: z.enum(['over', 'within']).optional(),
  currency: z.string().optional(),
  capex_budget_cents: z.number().optional(),
  capex_actual_cents: z.number().optional(),
  opex_budget_to_date_cents: z.number().optional(),
  opex_actual_cents: z.number().optional(),
});
const change = z.discriminatedUnion('table', [
  z.object({
    table: z.literal('reported_totals'),
    key: z.object({ scope: z.string(), window_key: z.string() }),
    moved: z.array(z.object({ figure: z.string(), before_cents: z.number(), after_cents: z.number() })),
  }),
  z.object({
    table: z.literal('budget_vs_actual'),
    key: z.object({ initiative_id: z.number(), as_of: z.string() }),
    before: budgetCells.nullable(),
    after: budgetCells.nullable(),
  }),
]);

/** A total of all time before and after, in US cents. */
export interface MovedTotal {
  readonly figure: (typeof WATCHED)[number];
  readonly before_cents: number;
  readonly after_cents: number;
}

/** A budget within which its initiative was, and is no longer. Amounts are null where the comparison does not have them. */
export interface PassedBudget {
  readonly initiative_id: number;
  readonly part: 'CapEx' | 'OpEx' | null;
  readonly currency: string | null;
  readonly budget_cents: number | null;
  readonly actual_cents: number | null;
  /** Its last day, if the budget had ended before the night; absent otherwise. */
  readonly ended_on?: string | null;
}

export interface NightChanges {
  /** The id of the snapshot before. */
  readonly compared_with: string;
  readonly totals: readonly MovedTotal[];
  readonly budgets: readonly PassedBudget[];
}

/**
 * Reads the stored comparison of a snapshot with the one before. Null if there is none, or a damaged one: it must not hide
 * the other events of the account.
 */
export async function readNightChanges(
  store: StoreReader,
  pair: PublishedPair,
): Promise<NightChanges | null> {
  try {
    const record = await readComparison(store, pair);
    if (record === null) return null;
    const collected = collectChanges(pair.from.snapshot_id, pair.to.snapshot_id);
    await readChangedRows(store, pair, record, linesTo(collected.take));
    return collected.changes();
  } catch (error) {
    if (isCrossfootError(error, 'file_corrupt')) return null;
    throw error;
  }
}

interface Collected {
  /** Takes one changed row as JSON. */
  readonly take: (line: string) => void;
  /** What was collected; rely on it only after the last row. */
  readonly changes: () => NightChanges;
}

/** Collects what people want to hear of from the changed rows of two snapshots, given by their ids, in any order. */
export function collectChanges(from: string, to: string): Collected {
  const [earlier, later] = [dayOf(from), dayOf(to)];
  const totals: MovedTotal[] = [];
  const was = new Set<number>();
  const over = new Map<number, z.infer<typeof budgetCells>>();
  return {
    take: (line) => {
      // Most lines are costs and values: they are not parsed.
      if (!/"table":"(?:reported_totals|budget_vs_actual)"/.test(line)) return;
      const row = change.parse(JSON.parse(line));
      if (row.table === 'budget_vs_actual') {
        const { initiative_id, as_of } = row.key;
        if (row.before?.status === 'over' && as_of === earlier) was.add(initiative_id);
        if (row.after?.status === 'over' && as_of === later) over.set(initiative_id, row.after);
      } else if (row.key.scope === 'portfolio' && row.key.window_key === 'all') {
        for (const figure of WATCHED) {
          const moved = row.moved.find((each) => each.figure === figure);
          if (moved !== undefined) totals.push({ ...moved, figure });
        }
      }
    },
    changes: () => ({
      compared_with: from,
      totals,
      budgets: [...over]
        .filter(([initiative_id]) => !was.has(initiative_id))
        .map(([initiative_id, cells]) => ({ initiative_id, ...passedPart(cells) })),
    }),
  };
}

/** The highest share by which a watched total moved; infinite if one was zero. 0 if none moved. */
export function movedShare({ totals }: Pick<NightChanges, 'totals'>): number {
  return Math.max(
    0,
    ...totals.map(({ before_cents, after_cents }) =>
      before_cents === after_cents ? 0 : Math.abs(after_cents - before_cents) / Math.abs(before_cents),
    ),
  );
}

/** The part of a budget that is over, with its amounts. */
export function passedPart(cells: z.infer<typeof budgetCells>): Omit<PassedBudget, 'initiative_id'> {
  const { capex_budget_cents, capex_actual_cents, opex_budget_to_date_cents, opex_actual_cents } = cells;
  const currency = cells.currency ?? null;
  const parts = [
    ['CapEx', capex_budget_cents, capex_actual_cents],
    ['OpEx', opex_budget_to_date_cents, opex_actual_cents],
  ] as const;
  for (const [part, budget_cents, actual_cents] of parts) {
    if (budget_cents !== undefined && actual_cents !== undefined && actual_cents > budget_cents) {
      return { part, currency, budget_cents, actual_cents };
    }
  }
  return { part: null, currency, budget_cents: null, actual_cents: null };
}

function dayOf(snapshot_id: string): string {
  return formatInstant(secondOfSnapshotId(snapshot_id)).slice(0, 10);
}

/** Cuts pieces into lines; the last line ends with its sign, too. */
function linesTo(take: (line: string) => void): (piece: Uint8Array) => Promise<void> {
  let rest = Buffer.alloc(0);
  return async (piece) => {
    rest = Buffer.concat([rest, piece]);
    let begin = 0;
    for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE, begin)) {
      take(rest.toString('utf8', begin, end));
      begin = end + 1;
    }
    rest = rest.subarray(begin);
  };
}
