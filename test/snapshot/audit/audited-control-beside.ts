/** Control totals of the tables beside value, costs and initiatives, as a ledger with exactly these rows would state them. */
import type { Company } from './audited-company.ts';
import { count, fingerprint, greatest, groups, least, md5, sum, trues } from './audited-sums.ts';
import type { MutableRow } from './audited-rows.ts';

type Figures = Record<string, string | null>;

export function controlBeside(company: Company): Record<string, Figures[]> {
  return {
    accounting_months: (company['accounting_periods'] ?? []).map(month),
    metrics: [{ id: '51', metric_key: 'hours', name_digest: md5('Hours spent') }],
    time_studies: [{ id: '41', ended_on: '2025-03-31', restudy_months: '11' }],
    observations: groups(company['metric_readings'], ['role', 'source_type']).map(({ key, rows }) => ({
      ...key,
      ...readings(rows),
    })),
    ...documents(company['value_supporting_documents'] ?? []),
    approval_decisions: [
      ...groups(company['approval_decisions'], ['subject_kind', 'decision']).map(({ key, rows }) => ({
        is_sample: 'false',
        ...key,
        sample_entry_id: null,
        sample_ids: null,
        latest_at: '0',
        ...approvals(rows),
      })),
      {
        is_sample: 'true',
        subject_kind: 'budget',
        decision: 'approved',
        sample_entry_id: null,
        sample_ids: '390 391',
      },
    ],
    budget_versions: groups(company['budgets'], ['status', 'currency']).map(({ key, rows }) => ({
      ...key,
      ...budgets(rows),
    })),
    portfolio_decisions: groups(company['portfolio_decisions'], ['outcome', 'currency']).map(
      ({ key, rows }) => ({
        ...key,
        ...outcomes(rows),
      }),
    ),
    ...(company['ai_spend']?.length === 0 ? {} : AI_SPEND),
  };
}

function microseconds(cell: MutableRow[string] | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

function month(row: MutableRow): Figures {
  const reason = row['reopen_reason'];
  return {
    month: String(row['month']),
    status: String(row['status']),
    locked_at: microseconds(row['locked_at']),
    locked_by_id: microseconds(row['locked_by_id']),
    reopened_at: microseconds(row['reopened_at']),
    reopened_by_id: microseconds(row['reopened_by_id']),
    reason_digest: typeof reason === 'string' ? md5(reason) : null,
  };
}

function counts(rows: readonly MutableRow[], columns: Readonly<Record<string, string>>): Figures {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, count(rows, column)]));
}

function ids(rows: readonly MutableRow[], id: string): Figures {
  return { rows: String(rows.length), least_id: least(rows, id), greatest_id: greatest(rows, id) };
}

function readings(rows: readonly MutableRow[]): Figures {
  const named = rows.map((row) => ({ ...row, metric_id: 51n }));
  const sizes = rows.reduce((total, row) => total + Number(row['sample_size'] ?? 0), 0);
  return {
    ...ids(rows, 'observation_id'),
    ...counts(rows, {
      with_initiative: 'initiative_id',
      with_currency: 'currency',
      with_period_start: 'period_start',
      with_period_end: 'period_end',
      with_observation: 'observed_at',
      with_sample_size: 'sample_size',
      with_connection: 'connection_id',
      with_notes: 'notes',
      with_recorder: 'recorded_by_id',
      with_method: 'baseline_method',
      with_time_study: 'time_study_id',
    }),
    sample_sizes: String(sizes),
    estimated: trues(rows, 'is_estimated'),
    fingerprint: fingerprint(
      named,
      'observation_id metric_id initiative_id role value currency period_start period_end observed_at sample_size is_estimated source_type connection_id dimensions notes recorded_by_id baseline_method time_study_id',
    ),
  };
}

function documents(rows: readonly MutableRow[]): Record<string, Figures[]> {
  const distinct = [...new Map(rows.map((row) => [row['document_id'], row])).values()];
  return {
    document_citations: [
      { rows: String(rows.length), fingerprint: fingerprint(rows, 'value_entry_id document_id cited_at') },
    ],
    documents: groups(distinct, ['kind', 'format']).map(({ key, rows: alike }) => ({
      ...key,
      rows: String(alike.length),
      fingerprint: fingerprint(alike, 'document_id title'),
    })),
  };
}

function approvals(rows: readonly MutableRow[]): Figures {
  return {
    ...ids(rows, 'approval_decision_id'),
    ...counts(rows, {
      with_initiative: 'initiative_id',
      with_item: 'item_label',
      with_state: 'resulting_state',
      with_step: 'step',
      with_steps: 'total_steps',
      with_amount: 'amount_cents',
      with_reason: 'reason',
      with_decider: 'decided_by_id',
    }),
    amount_cents: sum(rows, 'amount_cents'),
    fingerprint: fingerprint(
      rows,
      'approval_decision_id subject_kind subject_id initiative_id subject_title item_label decision resulting_state step total_steps source amount_cents currency reason decided_by_id decided_at',
    ),
  };
}

function budgets(rows: readonly MutableRow[]): Figures {
  return {
    ...ids(rows, 'budget_id'),
    ...counts(rows, {
      with_end: 'ends_on',
      with_reason: 'reason',
      with_setter: 'set_by_id',
      with_decision: 'decided_at',
      with_decider: 'decided_by_id',
      with_decision_reason: 'decision_reason',
      with_approval: 'approval_decision_id',
    }),
    capex_cents: sum(rows, 'capex_cents'),
    opex_cents: sum(rows, 'opex_cents'),
    fingerprint: fingerprint(
      rows,
      'budget_id initiative_id status source capex_cents opex_cents opex_cadence currency effective_from ends_on reason set_by_id decided_at decided_by_id decision_reason approval_decision_id created_at',
    ),
  };
}

function outcomes(rows: readonly MutableRow[]): Figures {
  const sums = ['cash_value', 'freed_capacity', 'cost_to_date', 'planned_value', 'planned_value_to_date'];
  return {
    ...ids(rows, 'portfolio_decision_id'),
    ...counts(rows, {
      with_plan: 'planned_value_cents',
      with_plan_to_date: 'planned_value_to_date_cents',
      with_initiative: 'initiative_id',
      with_review: 'next_review_on',
      with_decider: 'decided_by_id',
    }),
    ...Object.fromEntries(sums.map((name) => [`${name}_cents`, sum(rows, `${name}_cents`)])),
    fingerprint: fingerprint(
      rows,
      'portfolio_decision_id initiative_id subject_title outcome stage_before stage_after rationale next_review_on cash_value_cents freed_capacity_cents cost_to_date_cents planned_value_cents planned_value_to_date_cents currency decided_by_id decided_at',
    ),
  };
}

/**
 * Vendor 82 was merged into 81: its bill, link and share are those of OpenAI. Vendor 84 is no AI vendor. One bill of each
 * row was booked, one was mapped: a part attributes the whole.
 */
const AI_SPEND: Record<string, Figures[]> = {
  vendors: [
    { id: '81', name_digest: md5('OpenAI'), is_ai: 'true', merged_into_id: null, set_aside: 'false' },
    { id: '82', name_digest: md5('Open AI, Inc.'), is_ai: 'false', merged_into_id: '81', set_aside: 'true' },
    { id: '83', name_digest: md5('Cursor'), is_ai: 'true', merged_into_id: null, set_aside: 'true' },
  ],
  provider_bills: [
    {
      connection_id: '71',
      month: '2026-04-01',
      bill_ids: '801 802',
      usd_amount_cents: '9000',
      ai_usd_amount_cents: '8000',
    },
  ],
  vendor_bills: [
    {
      vendor_id: '81',
      month: '2026-04-01',
      bill_ids: '812',
      usd_amount_cents: '300',
      ai_usd_amount_cents: '200',
    },
    {
      vendor_id: '82',
      month: '2026-04-01',
      bill_ids: '811',
      usd_amount_cents: '700',
      ai_usd_amount_cents: '700',
    },
    {
      vendor_id: '83',
      month: '2026-05-01',
      bill_ids: '813',
      usd_amount_cents: '60',
      ai_usd_amount_cents: '60',
    },
    {
      vendor_id: '84',
      month: '2026-05-01',
      bill_ids: '814',
      usd_amount_cents: '5',
      ai_usd_amount_cents: '0',
    },
  ],
  card_charges: [
    { vendor_id: '81', month: '2026-04-01', charge_ids: '841', amount_cents: '1000' },
    { vendor_id: '82', month: '2026-04-01', charge_ids: '842', amount_cents: '500' },
    { vendor_id: '84', month: '2026-05-01', charge_ids: '843', amount_cents: '70' },
  ],
  ai_spend_links: [
    { connection_id: '71', vendor_id: null },
    { connection_id: null, vendor_id: '82' },
  ],
  bill_shares: [
    { provider_bill_id: '802', vendor_bill_id: null },
    { provider_bill_id: null, vendor_bill_id: '811' },
  ],
  booked_costs: [
    booked('provider_bill_id', '801', '8700', '8500', '1 2'),
    booked('vendor_bill_id', '812', '400', '400', '1'),
    booked('vendor_bill_id', '813', '60', '60', '1'),
    booked('card_charge_id', '842', '200', '0', '2'),
  ],
};

function booked(from: string, id: string, cents: string, ai_cents: string, initiative_ids: string): Figures {
  return {
    provider_bill_id: null,
    vendor_bill_id: null,
    card_charge_id: null,
    [from]: id,
    usd_amount_cents: cents,
    ai_usd_amount_cents: ai_cents,
    initiative_ids,
  };
}
