/** Budget comparisons as of a snapshot: the same computation as live, on the snapshot's budget versions and spend. */
import type { BudgetComparison, InitiativeBudget } from '../../figures/budget.ts';
import { firstOfMonth } from '../../figures/calendar.ts';
import { type ComparedInitiative, compareOn } from './budget-comparisons.ts';
import { whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import type { RowsOf } from '../../snapshot/read/rows.ts';
import type { RowOf, Table } from '../../tables/table.ts';
import { companionIfAny, fiscalMoment, frozenRows, type SnapshotFiles } from './snapshot-files.ts';
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

/** Whether an initiative is read. */
type Wanted = (initiative_id: bigint) => boolean;

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
  const versions = await versionsOf(files, (id) => ids.has(id));
  const spend = await readOf(spendRows, SPEND, (id) => ids.has(id));
  return initiatives.map(({ id, updated_at, currency }) => {
    const budget: InitiativeBudget = {
      initiative_id: id,
      currency: String(currency),
      versions: versions.get(id) ?? [],
      spend: spend.get(id) ?? [],
    };
    return {
      id,
      updated_at,
      comparison: compareOn(budget, { as_of, today: as_of, fiscal_year_start_month }),
    };
  });
}

/**
 * The comparisons on the snapshot's day of budgets that began, for the wanted initiatives. With them a page compares a budget
 * that has ended on the day of all others, although `budget_vs_actual` has no row for it. Empty without companion tables.
 */
export async function compareBegun(
  files: SnapshotFiles,
  wanted: Wanted,
): Promise<readonly BudgetComparison[]> {
  const { as_of } = files;
  const spendRows = await companionIfAny(files, 'budgets');
  if (spendRows === null) return [];
  const versions = await versionsOf(files, wanted);
  const begun = [...versions].filter(([, own]) =>
    own.some(({ status, effective_from }) => status === 'approved' && firstOfMonth(effective_from) <= as_of),
  );
  // Most snapshots have no such budget: they are read no further.
  if (begun.length === 0) return [];
  const ids = new Set(begun.map(([id]) => id));
  const spend = await readOf(spendRows, SPEND, (id) => ids.has(id));
  const day = { ...(await fiscalMoment(files)), today: as_of };
  return begun.map(([initiative_id, own]) =>
    compareOn(
      {
        initiative_id,
        currency: own[0]?.currency ?? '',
        versions: own,
        spend: spend.get(initiative_id) ?? [],
      },
      day,
    ),
  );
}

/** The budget versions of the wanted initiatives. */
async function versionsOf(
  files: SnapshotFiles,
  wanted: Wanted,
): Promise<ReadonlyMap<bigint, InitiativeBudget['versions']>> {
  const rows = await readOf(await files.table('budgets'), [...VERSION, ...MORE], wanted);
  const versions = [...rows].map(
    ([id, own]) =>
      [
        id,
        own.map(({ budget_id, set_by_id, set_by_name: name, ...row }) => ({
          ...row,
          id: budget_id,
          set_by: set_by_id === null ? null : { id: set_by_id, name },
        })),
      ] as const,
  );
  return new Map(versions);
}

/** The rows of the wanted initiatives, by initiative. */
async function readOf<Of extends Table, const Name extends keyof RowOf<Of> & string>(
  rows: RowsOf<Of>,
  names: readonly Name[],
  wanted: Wanted,
) {
  type Row = Pick<RowOf<Of>, Name> & { readonly initiative_id: bigint };
  const found = new Map<bigint, Row[]>();
  for await (const each of frozenRows(rows, names, { where: whereInitiative(wanted) })) {
    const row = each as Row; // each of these tables has the column
    const id = row.initiative_id;
    if (!wanted(id)) continue;
    const own = found.get(id);
    if (own === undefined) found.set(id, [row]);
    else own.push(row);
  }
  return found;
}
