/** One initiative in a snapshot: its plan, its sums, its budgets, its decisions and its documents. */
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { Cache } from '../../cache.ts';
import { type Day, utcDay } from '../../figures/calendar.ts';
import { endedOn } from '../../figures/budget.ts';
import { type CashInMonth, planPath, type PlanPath } from '../../figures/plan-path.ts';
import type { Plan } from '../../figures/plan.ts';
import { whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import { readVendorNames } from '../../snapshot/read/vendor-names.ts';
import type { LeftOut } from '../../figures/unsettled.ts';
import { compareBegun } from '../live/snapshot-budgets.ts';
import { readLeftOutCosts } from '../live/snapshot-sums.ts';
import {
  companionIfAny,
  type FrozenRow,
  frozenRows,
  type PlanFacts,
  planFactsOf,
  type SnapshotFiles,
} from '../live/snapshot-files.ts';
import { numbersOf, ownRows, rowsAt } from '../live/own-rows.ts';
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
  /** Its costs through that day without dollars, as the page of budgets has them; null in a snapshot without sums by month. */
  readonly not_spent: readonly LeftOut[] | null;
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
  const [row] = await ownRows(files, 'initiatives', OWN, id);
  if (row === undefined) return null;
  const went_live_on = dayOf(row.went_live_at);
  const started_on = dayOf(row.started_at);
  const where = { initiative_id: [id] };
  const facts = await planFactsOf(files, id);
  const [costs, value, budgets, comparisons, approved, decisions, documents] = await Promise.all([
    sumsBy(files, { table: 'costs', amount: 'usd_amount_cents', by: ['cost_type', 'vendor_id'], where }),
    sumsBy(files, {
      table: 'reported_value',
      amount: 'usd_amount_cents',
      by: ['basis'],
      where: { ...where, entry_type: CASH_TYPES },
    }),
    ownRows(files, 'budgets', BUDGET, id),
    ownRows(files, 'budget_vs_actual', COMPARED, id),
    approvalsOf(files, id),
    ownRows(files, 'portfolio_decisions', DECIDED, id),
    ownRows(files, 'value_supporting_documents', DOCUMENT, id),
  ]);
  const ended = await endedBudget(files, id, comparisons);
  const hasLeftOut = (files.snapshot.left_out?.cost ?? []).length > 0;
  const left_out = hasLeftOut ? await readLeftOutCosts(files, files.as_of) : null;
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
    not_spent: left_out && (left_out.get(id) ?? []),
    ...approved,
    decisions,
    documents: [...new Map(documents.map((each) => [each.document_id, each])).values()],
  };
}

/** The decisions that the page lists, and the number of those about value entries, whose texts are not read. */
async function approvalsOf(
  files: SnapshotFiles,
  id: bigint,
): Promise<Pick<InitiativeMoney, 'approvals' | 'entry_approvals'>> {
  const rows = await files.table('approval_decisions');
  const all = await numbersOf(rows, id);
  const kinds = await rowsAt<'approval_decisions', ['subject_kind']>(rows, ['subject_kind'], all);
  const listed = all.filter((_, at) => kinds[at]?.subject_kind !== OF_ENTRY);
  return {
    approvals: await rowsAt(rows, APPROVED, listed),
    entry_approvals: all.length - listed.length,
  };
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
