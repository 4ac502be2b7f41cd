/** Budget comparisons as of a snapshot: the same computation as live, on the snapshot's budget versions and spend. */
import type { InitiativeBudget } from '../../figures/budget.ts';
import { type ComparedInitiative, compareOn } from './budget-comparisons.ts';
import { fiscalMoment, frozenRows, type SnapshotFiles } from './snapshot-files.ts';
import { type FrozenPage, readFrozenPage } from './snapshot-lists.ts';

const VERSION = [
  'budget_id',
  'decided_at',
  'initiative_id',
  'status',
  'source',
  'capex_cents',
  'opex_cents',
  'opex_cadence',
] as const;
const MORE = ['currency', 'effective_from', 'ends_on', 'reason', 'set_by_id', 'set_by_name'] as const;
const SPEND = ['initiative_id', 'month', 'capex_cents', 'opex_cents'] as const;

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
      versions: (versions.get(id) ?? []).map(({ budget_id, set_by_id, set_by_name: name, ...row }) => ({
        ...row,
        id: budget_id,
        set_by: set_by_id === null ? null : { id: set_by_id, name },
      })),
      spend: spend.get(id) ?? [],
    };
    return {
      id,
      updated_at,
      comparison: compareOn(budget, { as_of, today: as_of, fiscal_year_start_month }),
    };
  });
}

async function byInitiative<Row extends { readonly initiative_id: bigint }>(
  rows: AsyncIterable<Row>,
  ids: ReadonlySet<bigint>,
): Promise<ReadonlyMap<bigint, readonly Row[]>> {
  const found = new Map<bigint, Row[]>();
  for await (const row of rows) {
    const id = row.initiative_id;
    if (!ids.has(id)) continue;
    const own = found.get(id);
    if (own === undefined) found.set(id, [row]);
    else own.push(row);
  }
  return found;
}
