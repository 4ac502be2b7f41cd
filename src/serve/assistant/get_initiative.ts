import { z } from '@hono/zod-openapi';
import { type CostEntryRow, listCostEntries } from '../../ledger/lists/cost-entries.ts';
import { findInitiative, type InitiativeRow } from '../../ledger/lists/initiatives.ts';
import { listValueEntries, type ValueEntryRow } from '../../ledger/lists/value-entries.ts';
import { readHorizon } from '../../ledger/lists/horizon.ts';
import { readRecentNotes } from '../../ledger/lists/recent-notes.ts';
import { noSuchRecord } from '../../ledger/lists/seen-initiative.ts';
import { type ComparedInitiative, listComparisons } from '../live/budget-comparisons.ts';
import { inFigureMoment } from '../live/figure-moment.ts';
import { showComparison } from '../resources/budgets.ts';
import { showCostEntry } from '../resources/cost_entries.ts';
import { showInitiative } from '../resources/initiatives.ts';
import { showValueEntry } from '../resources/value_entries.ts';
import { instant } from '../live/shown.ts';
import {
  type CostAnswer,
  type InitiativeAnswer,
  initiativeAnswer,
  type ValueAnswer,
} from './initiative-shape.ts';
import { tellInitiative } from './initiative-text.ts';
import { initiative_id } from './inputs.ts';
import { cut, newest } from './recent-page.ts';
import { statusOf } from './rolled-up-status.ts';
import { defineTool, TOOL_TIMEOUT_MS } from './tool.ts';
import { cutName, cutText } from './user-text.ts';

// Enough to see what is going on; whoever wants all of them reads the API.
const ENTRIES = 10;
const NOTES = 5;
// Some paragraphs, and some lines.
const LONGEST_TEXT = 2_000;
const LONGEST_NOTE = 500;

/** One initiative with what `/initiatives/{id}`, `/budgets` and the newest rows of the entry lists say of it. */
export const get_initiative = defineTool({
  name: 'get_initiative',
  title: 'One initiative',
  description:
    'Use this for what one initiative is about and how it stands: stage, owner, business case, approved budget against spend to date, ' +
    'and its latest costs, value entries and notes. ' +
    'The entries shown are the latest few and make no total: for totals and return use get_roi_summary with the same initiative_id. ' +
    'Amounts are integer cents of the currency beside them; cash value and freed capacity are never added.',
  input: z.strictObject({ initiative_id }),
  output: initiativeAnswer,
  async answer(parts, account_id, { initiative_id: asked }) {
    const id = BigInt(asked);
    const session = { account_id, timeout_ms: TOOL_TIMEOUT_MS };
    // Before the moment begins, as lists do.
    const horizon = await parts.inAccount(session, readHorizon);
    return await inFigureMoment(parts, session, async (client, today) => {
      const initiative = await findInitiative(client, account_id, id);
      if (initiative === null) throw noSuchRecord();
      const own = { initiative_id: id, include_sample: false };
      // An initiative is its own, however lately it was changed.
      const itself = { account_id, horizon: initiative.updated_at + 1n, after: null, rows: 1 };
      const [compared] = await listComparisons(client, itself, own, today);
      if (compared === undefined) throw noSuchRecord();
      const page = newest(account_id, horizon, ENTRIES);
      const costs = cut(await listCostEntries(client, page, own), ENTRIES);
      const values = cut(await listValueEntries(client, page, own), ENTRIES);
      const asking = { initiative_id: id, rows: NOTES + 1 };
      const notes = cut(await readRecentNotes(client, account_id, asking), NOTES);
      return {
        ...head(showInitiative(initiative)),
        business_case: planOf(initiative),
        status: statusOf(initiative.stage),
        app_url: initiative.app_url,
        budget: budgetOf(compared, initiative.app_url),
        recent_costs: { entries: costs.rows.map(costOf), has_more: costs.has_more },
        recent_value_entries: { entries: values.rows.map(valueOf), has_more: values.has_more },
        notes: {
          entries: notes.rows.map(({ body, author_name, created_at }) => ({
            body: cutText(body, LONGEST_TEXT),
            author_name: cutName(author_name),
            created_at: instant(created_at),
          })),
          has_more: notes.has_more,
        },
        as_of: today,
      };
    });
  },
  tell: tellInitiative,
});

function head(shown: ReturnType<typeof showInitiative>) {
  return {
    id: shown.id,
    title: cutName(shown.title),
    stage: shown.stage,
    category: cutName(shown.category),
    department: cutName(shown.department),
    business_unit: cutName(shown.business_unit),
    owner_name: cutName(shown.owner?.name ?? null),
    started_at: shown.started_at,
    went_live_at: shown.went_live_at,
    closed_at: shown.closed_at,
    description: cutText(shown.description, LONGEST_TEXT),
    hypothesis: cutText(shown.hypothesis, LONGEST_TEXT),
  };
}

function planOf(initiative: InitiativeRow): InitiativeAnswer['business_case'] {
  const shown = showInitiative(initiative);
  return {
    currency: shown.currency,
    value_period: initiative.planned_value_period ?? 'annually',
    expected_cost_savings_cents: shown.expected_cost_savings_cents,
    expected_revenue_uplift_cents: shown.expected_revenue_uplift_cents,
    expected_capacity_cents: shown.expected_capacity_cents,
    expected_capex_cents: shown.expected_capex_cents,
    expected_opex_cents: shown.expected_opex_cents,
    roi_time_horizon_years: shown.roi_time_horizon_years,
    confidence_score: shown.confidence_score,
  };
}

function budgetOf(compared: ComparedInitiative, page: string | null): InitiativeAnswer['budget'] {
  const shown = showComparison(compared);
  const version = shown.current_version?.id;
  return {
    status: shown.status,
    currency: shown.currency,
    started_on: shown.budget_started_on,
    as_of: shown.as_of,
    budget_to_date_cents: shown.budget_to_date_cents,
    actual_to_date_cents: shown.actual_to_date_cents,
    variance_cents: shown.variance_cents,
    capex_budget_cents: shown.capex_budget_cents,
    capex_actual_cents: shown.capex_actual_cents,
    opex_budget_to_date_cents: shown.opex_budget_to_date_cents,
    opex_actual_cents: shown.opex_actual_cents,
    revision_pending: shown.revision_pending,
    app_url: page === null || version === undefined ? page : `${page}/budget/${version}`,
  };
}

function costOf(row: CostEntryRow): CostAnswer {
  const shown = showCostEntry(row);
  return {
    id: shown.id,
    amount_cents: shown.amount_cents,
    currency: shown.currency,
    usd_amount_cents: shown.usd_amount_cents,
    cost_category: shown.cost_category,
    cost_type: cutName(shown.cost_type),
    vendor_name: cutName(shown.vendor_name),
    period_start: shown.period_start,
    period_end: shown.period_end,
    is_estimated: shown.is_estimated,
    description: cutText(shown.description, LONGEST_NOTE),
    app_url: row.app_url,
  };
}

function valueOf(row: ValueEntryRow): ValueAnswer {
  const shown = showValueEntry(row);
  return {
    id: shown.id,
    counts_as: countsAs(shown.entry_type),
    entry_type: shown.entry_type,
    status: shown.status,
    counts_toward_roi: shown.counts_toward_roi,
    amount_cents: shown.amount_cents,
    currency: shown.currency,
    usd_amount_cents: shown.usd_amount_cents,
    period_start: shown.period_start,
    period_end: shown.period_end,
    is_estimated: shown.is_estimated,
    notes: cutText(shown.notes, LONGEST_NOTE),
    app_url: row.app_url,
  };
}

function countsAs(type: ValueAnswer['entry_type']): ValueAnswer['counts_as'] {
  if (type === null) return 'undecided';
  return type === 'capacity' ? 'freed_capacity' : 'cash_value';
}
