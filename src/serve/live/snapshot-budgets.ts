/** Budget comparisons as of a snapshot: the same computation as live, on the snapshot's budget versions and spend. */
import type { BudgetVersion } from '../../figures/budget-coverage.ts';
import type { InitiativeBudget, MonthlySpend } from '../../figures/budget.ts';
import { type ComparedInitiative, compareOn } from './budget-comparisons.ts';
import { fiscalMoment, type FrozenRow, frozenRows, type SnapshotFiles } from './snapshot-files.ts';
import { type FrozenPage, readFrozenPage } from './snapshot-lists.ts';

const VERSION = [
  'budget_id',
  'initiative_id',
  'status',
  'source',
  'capex_cents',
  'opex_cents',
  'opex_cadence',
];
const MORE = ['currency', 'effective_from', 'ends_on', 'reason', 'set_by_id', 'set_by_name', 'decided_at'];
const SPEND = ['initiative_id', 'month', 'capex_cents', 'opex_cents'];

/** A page of comparisons on the snapshot's day, ordered by the initiative's `updated_at`, oldest first. */
export async function listFrozenComparisons(
  files: SnapshotFiles,
  page: FrozenPage,
  { initiative_id }: { readonly initiative_id?: bigint | undefined },
): Promise<readonly ComparedInitiative[]> {
  const initiatives = await readFrozenPage(files, 'initiatives', page, { id: initiative_id });
  const spendRows = await files.companion('budgets');
  const { as_of, fiscal_year_start_month } = await fiscalMoment(files);
  const ids = new Set(initiatives.map(({ id }) => id));
  const versions = await byInitiative(frozenRows(await files.table('budgets'), [...VERSION, ...MORE]), ids);
  const spend = await byInitiative(frozenRows(spendRows, SPEND), ids);
  return initiatives.map(({ id, updated_at, currency }) => {
    const budget: InitiativeBudget = {
      initiative_id: id,
      currency: String(currency),
      // The columns of the table have the types of the figures.
      versions: (versions.get(id) ?? []).map((row) => versionOf(row)),
      spend: (spend.get(id) ?? []) as unknown as readonly MonthlySpend[],
    };
    return {
      id,
      updated_at,
      comparison: compareOn(budget, { as_of, today: as_of, fiscal_year_start_month }),
    };
  });
}

async function byInitiative(rows: AsyncIterable<FrozenRow>, ids: ReadonlySet<bigint>) {
  const found = new Map<bigint, FrozenRow[]>();
  for await (const row of rows) {
    const id = BigInt(row['initiative_id'] ?? 0);
    if (!ids.has(id)) continue;
    const own = found.get(id);
    if (own === undefined) found.set(id, [row]);
    else own.push(row);
  }
  return found;
}

function versionOf({ budget_id: id, set_by_id, set_by_name: name, ...row }: FrozenRow): BudgetVersion {
  const set_by = set_by_id === null ? null : { id: set_by_id, name };
  return { ...row, id, set_by } as unknown as BudgetVersion; // the table's columns have the types of the version
}
