/** What the tiny company's value rests on: frozen inputs, their readings, documents, and who approved it. */
import type { MutableRow } from './audited-rows.ts';
import { at } from './audited-rows.ts';

const NO_INPUT = {
  label: null,
  value: null,
  metric_key: null,
  observation_id: null,
  assumption_id: null,
  assumption_key: null,
  assumption_scope: null,
  requires_confirmation: null,
  assumption_effective_from: null,
  observed_at: null,
  input_period_start: null,
  input_period_end: null,
  expression: null,
};

/** What `inputs` in audited-rows.ts unfolds into, written by hand. */
export function valueInputs(): MutableRow[] {
  const entry = { ...NO_INPUT, value_entry_id: 14n, initiative_id: 1n };
  return [
    {
      ...entry,
      variable: 'a',
      label: 'Hours "now"',
      value: 12.5,
      source_type: 'observation',
      metric_key: 'hours',
      observation_id: 1001n,
      observed_at: '2026-06-30T22:00:00Z',
      input_period_start: '2026-06-01',
      input_period_end: '2026-06-30',
    },
    {
      ...entry,
      variable: 'b',
      value: 20,
      source_type: 'baseline',
      metric_key: 'hours',
      observation_id: 1002n,
      observed_at: '2025-03-01',
    },
    {
      ...entry,
      variable: 'c',
      value: 50,
      source_type: 'assumption',
      assumption_id: 31n,
      assumption_key: 'rate',
      assumption_scope: 'account',
      requires_confirmation: true,
      assumption_effective_from: '2025-01-01',
    },
    { ...entry, variable: 'd', source_type: 'derived', expression: 'c*2' },
  ];
}

/** The two readings that those inputs name. */
export function metricReadings(): MutableRow[] {
  const reading = {
    metric_key: 'hours',
    metric_name: 'Hours spent',
    initiative_id: 1n,
    period_start: at('2026-06-01'),
    period_end: at('2026-06-30'),
    observed_at: at('2026-06-30', 3600),
    is_estimated: false,
    recorded_by_id: null,
    recorded_by_name: null,
    baseline_method: null,
    time_study_id: null,
    valid_until: null,
  };
  return [
    {
      ...reading,
      observation_id: 1001n,
      role: 'reading',
      value: 12.5,
      currency: 'USD',
      sample_size: 40,
      source_type: 'integration',
      connection_id: 71n,
      dimensions: '{"region":"north east","team":"mail"}',
      notes: 'Two days missing',
    },
    {
      ...reading,
      observation_id: 1002n,
      role: 'baseline',
      value: 20,
      currency: null,
      sample_size: null,
      source_type: 'time_study',
      connection_id: null,
      dimensions: '{}',
      notes: null,
      baseline_method: 'time_study',
      time_study_id: 41n,
      // The study ended on 2025-03-31; eleven months later there is no 31st.
      valid_until: '2026-02-28',
    },
  ];
}

export function supportingDocuments(): MutableRow[] {
  const cited = {
    value_entry_id: 14n,
    initiative_id: 1n,
    cited_at: at('2026-07-09', 60),
    app_url: 'https://app.example.com/initiatives/1/value/14',
  };
  return [
    { ...cited, document_id: 201n, kind: 'business_case', restricted: false, title: 'Case', format: 'file' },
    { ...cited, document_id: 202n, kind: 'contract', restricted: true, title: null, format: 'link' },
  ];
}

function decision(id: bigint, subject_id: bigint, initiative_id: bigint, given: MutableRow): MutableRow {
  return {
    approval_decision_id: id,
    subject_kind: 'value_entry',
    subject_id,
    initiative_id,
    subject_title: `Value ${subject_id}`,
    item_label: null,
    decision: 'approved',
    resulting_state: 'approved',
    step: null,
    total_steps: null,
    source: 'direct',
    amount_cents: null,
    currency: null,
    reason: null,
    decided_by_id: 502n,
    decided_by_name: 'Bo',
    decided_at: at('2026-07-10', 5),
    ...given,
  };
}

/** Entry 11 was approved twice, the later time by Bo; a sign-off after that approves nothing. */
export function approvalDecisions(): MutableRow[] {
  const ada = { decided_by_id: 501n, decided_by_name: 'Ada' };
  return [
    decision(301n, 11n, 1n, { ...ada, decided_at: at('2026-07-10', 4) }),
    decision(302n, 11n, 1n, {}),
    decision(303n, 11n, 1n, { ...ada, decision: 'step_approved', decided_at: at('2026-07-12') }),
    decision(304n, 12n, 1n, {}),
    decision(305n, 13n, 1n, {}),
    decision(306n, 14n, 1n, { ...ada }), // in the same microsecond; the greater id is the later
    decision(307n, 14n, 1n, {}),
    decision(308n, 15n, 2n, { source: 'auto', decided_by_id: null, decided_by_name: null }),
    decision(309n, 401n, 1n, {
      subject_kind: 'budget',
      item_label: 'First budget',
      step: 2,
      total_steps: 2,
      amount_cents: 101_000n,
      currency: 'USD',
      reason: 'As in the charter',
      decided_at: at('2025-04-20'),
    }),
    // About an initiative that is gone.
    decision(310n, 99n, 0n, { subject_kind: 'initiative', decision: 'rejected', initiative_id: null }),
  ];
}
