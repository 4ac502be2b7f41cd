/**
 * Budgets that were passed after they had ended. On the day of a snapshot `budget_vs_actual` has no row of such a budget, so the
 * comparison of the tables misses it. Pages and the API compare it all the same.
 */
import { type BudgetComparison, endedOn } from '../../figures/budget.ts';
import { compareBegun } from '../../serve/live/snapshot-budgets.ts';
import { snapshotFiles } from '../../serve/live/snapshot-files.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { type PassedBudget, passedPart } from '../../webhooks/night-changes.ts';

/** The ended budgets that are over in the later snapshot and were within in the earlier one. */
export async function passedAfterEnd(
  snapshots: Pick<SnapshotReader, 'pinned' | 'openRows'>,
  account_id: bigint,
  [from_id, to_id]: readonly [from_id: string, to_id: string],
): Promise<readonly PassedBudget[]> {
  const [from, to] = [await snapshots.pinned(account_id, from_id), await snapshots.pinned(account_id, to_id)];
  if (from === null || to === null) return [];
  const begun = await compareBegun(snapshotFiles(snapshots, account_id, to), () => true);
  const over = begun.filter(({ status, in_effect }) => status === 'over' && !in_effect);
  if (over.length === 0) return [];
  const ids = new Set(over.map(({ initiative_id }) => initiative_id));
  // An earlier snapshot without companion tables compares none: whether a budget was over already is then not known.
  const before = await compareBegun(snapshotFiles(snapshots, account_id, from), (id) => ids.has(id));
  const within = new Set(
    before.filter(({ status }) => status === 'within').map(({ initiative_id }) => initiative_id),
  );
  return over.filter(({ initiative_id }) => within.has(initiative_id)).map(passed);
}

function passed(budget: BudgetComparison): PassedBudget {
  const { initiative_id, currency } = budget;
  const part = passedPart({
    currency,
    capex_budget_cents: Number(budget.capex_budget_cents),
    capex_actual_cents: Number(budget.capex_actual_cents),
    opex_budget_to_date_cents: Number(budget.opex_budget_to_date_cents),
    opex_actual_cents: Number(budget.opex_actual_cents),
  });
  return { initiative_id: Number(initiative_id), ...part, ended_on: endedOn(budget) };
}
