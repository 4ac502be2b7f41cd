/** One initiative in a snapshot: its plan, its sums, its budgets, its decisions and its documents. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { type Day, utcDay } from '../../figures/calendar.ts';
import { endedOn } from '../../figures/budget.ts';
import { type CashInMonth, planPath, type PlanPath } from '../../figures/plan-path.ts';
import type { Plan } from '../../figures/plan.ts';
import { whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import type { FieldValue, TableRows } from '../../snapshot/read/rows.ts';
import { readVendorNames } from '../../snapshot/read/vendor-names.ts';
import type { Reporting } from '../../tables/all.ts';
import { approval_decisions } from '../../tables/approval_decisions.ts';
import type { RowOf } from '../../tables/table.ts';
import { compareBegun } from '../live/snapshot-budgets.ts';
import {
  companionIfAny,
  type FrozenRow,
  frozenRows,
  type PlanFacts,
  planFactsOf,
  type SnapshotFiles,
} from '../live/snapshot-files.ts';
import { filterRows, pageRows } from '../rows/filter-rows.ts';
import { CASH_TYPES } from './row-links.ts';
import { type SumsBy, sumsBy } from './sums-by.ts';
import type { Instant } from '../../instant.ts';

export interface InitiativeMoney {
  /** Its row of `initiatives`. */
  readonly row: FrozenRow<'initiatives', typeof OWN>;
  readonly went_live_on: Day | null;
  readonly started_on: Day | null;
  /** In the plan's own currency; null without a plan that counts. */
  readonly plan: PlanPath | null;
  /** False if the service filled in the plan and no person confirmed it: it counts in no promise. Undefined if not known. */
  readonly confirmed: boolean | undefined;
  /**
   * For a plan in another currency than dollars: the cash value that came back, in the currency of the plan. Null for a plan in
   * dollars, and if an older version built the snapshot.
   */
  readonly arrived: readonly CashInMonth[] | null;
  readonly costs: SumsBy;
  /** The names of the vendors of its costs, by id. */
  readonly vendors: ReadonlyMap<unknown, string>;
  readonly value: SumsBy;
  /** Newest first. */
  readonly budgets: readonly FrozenRow<'budgets', typeof BUDGET>[];
  /** The comparisons of its budget with what was spent, oldest day first; the last one is on the day of the snapshot. */
  readonly comparisons: readonly FrozenRow<'budget_vs_actual', typeof COMPARED>[];
  /** The last day of a budget that has ended by the day of the snapshot. */
  readonly budget_ended_on: Day | null;
  /** Decisions about it, its charter and its budgets, oldest first. */
  readonly approvals: readonly FrozenRow<'approval_decisions', typeof APPROVED>[];
  /** The number of decisions about its value entries, which `approvals` does not list. */
  readonly entry_approvals: number;
  readonly decisions: readonly FrozenRow<'portfolio_decisions', typeof DECIDED>[];
  readonly documents: readonly FrozenRow<'value_supporting_documents', typeof DOCUMENT>[];
}

/** Reads an initiative; null if the snapshot does not have it. */
export type Initiatives = (files: SnapshotFiles, id: bigint) => Promise<InitiativeMoney | null>;

/** A row of what an initiative has: a sum, a budget, an approval, a decision, a document. */
const ROW_BYTES = 512;

const OWN = [
  'initiative_id',
  'title',
  'stage',
  'department',
  'owner_name',
  'started_at',
  'went_live_at',
  'planned_capex_cents',
  'planned_opex_cents',
  'planned_value_period',
  'planned_value_cents',
  'roi_horizon_years',
  'time_to_value_months',
  'app_url',
  'currency',
] as const;
const BUDGET = [
  'budget_id',
  'initiative_id',
  'status',
  'capex_cents',
  'opex_cents',
  'opex_cadence',
  'currency',
  'effective_from',
  'created_at',
  'decided_at',
  'decided_by_name',
  'decision_reason',
  'approval_decision_id',
] as const;
const COMPARED = [
  'initiative_id',
  'as_of',
  'budget_id',
  'budget_to_date_cents',
  'actual_to_date_cents',
  'variance_cents',
  'capex_budget_cents',
  'capex_actual_cents',
  'opex_budget_to_date_cents',
  'opex_actual_cents',
  'spent_before_budget_cents',
  'currency',
] as const;
const APPROVED = [
  'initiative_id',
  'subject_kind',
  'subject_id',
  'decision',
  'step',
  'total_steps',
  'reason',
  'decided_by_name',
  'decided_at',
] as const;
/** Most decisions are about value entries, of which the page shows only how many there are. */
const OF_ENTRY = 'value_entry';
const OF_INITIATIVE = (
  approval_decisions.columns.find(({ name }) => name === 'subject_kind')?.values ?? []
).filter((kind) => kind !== OF_ENTRY);
const DECIDED = [
  'initiative_id',
  'outcome',
  'rationale',
  'next_review_on',
  'decided_by_name',
  'decided_at',
] as const;
const DOCUMENT = ['initiative_id', 'document_id', 'kind', 'title', 'restricted'] as const;

/** Keeps what was read of the initiatives that people look at: a snapshot never changes. */
export function createInitiatives(): Initiatives {
  const cache = new Cache<string, InitiativeMoney | null>({
    max_bytes: MEMORY_BUDGET.initiatives,
    bytesOf: (money) =>
      ROW_BYTES *
      Object.values(money ?? {}).reduce(
        (rows, part) => rows + (Array.isArray(part) ? part.length : part instanceof Map ? part.size : 1),
        1,
      ),
  });
  return async (files, id) =>
    await cache.get(`${files.account_id} ${files.snapshot.snapshot_id} ${id}`, () =>
      readInitiative(files, id),
    );
}

async function readInitiative(files: SnapshotFiles, id: bigint): Promise<InitiativeMoney | null> {
  const [row] = await own(files, 'initiatives', OWN, id);
  if (row === undefined) return null;
  const went_live_on = dayOf(row.went_live_at);
  const started_on = dayOf(row.started_at);
  const where = { initiative_id: [id] };
  const facts = await planFactsOf(files, id);
  const [costs, value, budgets, comparisons, approvals, of_entries, decisions, documents] = await Promise.all(
    [
      sumsBy(files, { table: 'costs', amount: 'usd_amount_cents', by: ['cost_type', 'vendor_id'], where }),
      sumsBy(files, {
        table: 'reported_value',
        amount: 'usd_amount_cents',
        by: ['basis'],
        where: { ...where, entry_type: CASH_TYPES },
      }),
      own(files, 'budgets', BUDGET, id),
      own(files, 'budget_vs_actual', COMPARED, id),
      own(files, 'approval_decisions', APPROVED, id, { subject_kind: OF_INITIATIVE }),
      matching(files, 'approval_decisions', { ...where, subject_kind: [OF_ENTRY] }),
      own(files, 'portfolio_decisions', DECIDED, id),
      own(files, 'value_supporting_documents', DOCUMENT, id),
    ],
  );
  const ended = await endedBudget(files, id, comparisons);
  const vendors = await readVendorNames({
    names: await companionIfAny(files, 'vendors'),
    costs: () => files.table('costs'),
  });
  const billed = new Set(costs.of('vendor_id').map((sum) => sum.value));
  return {
    row,
    went_live_on,
    started_on,
    plan: readPlan(files.as_of, row, { went_live_on, started_on }, facts),
    confirmed: facts.confirmed,
    arrived: row.currency === 'USD' ? null : await arrivedOf(files, id),
    costs,
    vendors: new Map([...vendors].filter(([vendor_id]) => billed.has(vendor_id))),
    value,
    budgets: budgets.toReversed(),
    comparisons: [...comparisons, ...ended.comparisons].toSorted((a, b) => (a.as_of < b.as_of ? -1 : 1)),
    budget_ended_on: ended.on,
    approvals,
    entry_approvals: of_entries.found.count,
    decisions,
    documents: [...new Map(documents.map((each) => [each.document_id, each])).values()],
  };
}

/** The rows of a table that are about the initiative. */
async function own<
  Name extends keyof Reporting,
  const Columns extends readonly (keyof RowOf<Reporting[Name]> & string)[],
>(
  files: SnapshotFiles,
  table: Name,
  names: Columns,
  id: bigint,
  more: Where = {},
): Promise<readonly FrozenRow<Name, Columns>[]> {
  // First its rows are found by one column or two; then the others are read only where its rows are.
  const { rows, found } = await matching(files, table, { initiative_id: [id], ...more });
  const values = await pageRows(rows, names, found, [0, found.count]);
  const own_rows: readonly object[] = values.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index]])),
  );
  return own_rows as readonly FrozenRow<Name, Columns>[]; // the columns of these names
}

type Where = Readonly<Record<string, readonly FieldValue[]>>;

/** The rows of a table that have these values. */
async function matching(files: SnapshotFiles, table: keyof Reporting, where: Where) {
  const rows: TableRows = await files.table(table);
  const filters = rows.columns.flatMap((column) => {
    const values = where[column.name];
    return values === undefined ? [] : [{ column, values: new Set(values), from: null, through: null }];
  });
  const of = { table, columns: [], facets: [], amount: null };
  return { rows, found: await filterRows(rows, { filters, sort: null }, of) };
}

const PERIODS = { monthly: 12n, quarterly: 4n, annually: 1n } as const;

type Days = Pick<InitiativeMoney, 'went_live_on' | 'started_on'>;

/** The plan by month; without its break-even, if that depends on a day of approval which the snapshot does not have. */
function readPlan(
  as_of: Day,
  row: InitiativeMoney['row'],
  days: Days,
  { approved_at, confirmed = true }: PlanFacts,
): PlanPath | null {
  const needsDay = days.started_on === null && (row.planned_capex_cents ?? 0n) !== 0n;
  const plan = planOf(row, { ...days, approved_on: dayOf(approved_at ?? null), confirmed });
  const path = planPath(plan, as_of);
  return path === null || !needsDay || approved_at !== undefined ? path : { ...path, break_even: null };
}

/** The cash value of an initiative in the currency of its plan; null if an older version built the snapshot. */
async function arrivedOf(files: SnapshotFiles, id: bigint): Promise<InitiativeMoney['arrived']> {
  const rows = await companionIfAny(files, 'plan_value');
  if (rows === null) return null;
  const where = whereInitiative((each) => each === id);
  const all = frozenRows(rows, ['initiative_id', 'month', 'cash_cents'], { where });
  const arrived: CashInMonth[] = [];
  for await (const { initiative_id, ...cash } of all) if (initiative_id === id) arrived.push(cash);
  return arrived;
}

/** The comparison of a budget that has ended, on the day of the snapshot, and its last day; nothing while it is in effect. */
async function endedBudget(
  files: SnapshotFiles,
  id: bigint,
  comparisons: InitiativeMoney['comparisons'],
): Promise<{ readonly comparisons: InitiativeMoney['comparisons']; readonly on: Day | null }> {
  const isCompared = comparisons.some(({ as_of }) => as_of === files.as_of);
  const [ended] = isCompared ? [] : await compareBegun(files, (each) => each === id);
  const version = ended?.current_version ?? null;
  if (ended === undefined || version === null) return { comparisons: [], on: null };
  return { comparisons: [{ ...ended, budget_id: version.id }], on: endedOn(ended) };
}

/** The business case in its own currency: a rate of 1 leaves amounts alone. */
function planOf(row: InitiativeMoney['row'], days: Days & Pick<Plan, 'approved_on' | 'confirmed'>): Plan {
  const years = row.roi_horizon_years ?? 0;
  const periods = PERIODS[row.planned_value_period ?? 'annually'];
  return {
    ...days,
    stage: row.stage,
    is_sample: false,
    currency: row.currency,
    usd_rate: '1',
    value_total_cents: row.planned_value_cents,
    capacity_total_cents: 0n,
    opex_total_cents: (row.planned_opex_cents ?? 0n) * periods * BigInt(years),
    capex_cents: row.planned_capex_cents ?? 0n,
    horizon_months: 12 * years,
    time_to_value_months: row.time_to_value_months,
  };
}

const dayOf = (at: Instant | null): Day | null => (at === null ? null : utcDay(at));
