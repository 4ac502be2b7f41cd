/** The rules of what stands beside value and costs: each refuses the one thing that it alone forbids. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { company, row } from './audited-company.ts';
import { controlOf, type ControlTotals } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';
import { at, type MutableRow } from './audited-rows.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

type Case = readonly [what: string, table: string, key: bigint | string, change: MutableRow];

const TODAY = '2026-08-15 1';
const CARD = '2026-04-01 card';
const BILL = '2026-04-01 provider_bill 71';
const VENDOR = '2026-04-01 ai_vendor OpenAI';
const UNLINKED = '2026-05-01 ai_vendor Cursor';

const RULES: Readonly<Record<string, readonly Case[]>> = {
  '13-check-never-empty': [
    ['a comparison without a currency', 'budget_vs_actual', TODAY, { currency: null }],
  ],
  '15-check-references': [
    ['an input of no entry', 'value_inputs', '14 a', { value_entry_id: 99n }],
    ["an input under another entry's initiative", 'value_inputs', '14 a', { initiative_id: 2n }],
    ['a document of no entry', 'value_supporting_documents', '14 201', { value_entry_id: 99n }],
    ['a budget of nothing', 'budgets', 401n, { initiative_id: 9n }],
    ['a budget approved by no decision', 'budgets', 401n, { approval_decision_id: 999n }],
    ['a comparison with a budget that is pending', 'budget_vs_actual', TODAY, { budget_id: 403n }],
    ["a comparison with another's budget", 'budget_vs_actual', TODAY, { budget_id: 404n }],
  ],
  '17-check-readings': [
    ['a reading that no input names', 'metric_readings', 1001n, { observation_id: 1000n }],
    ['a method of a reading', 'metric_readings', 1001n, { baseline_method: 'history' }],
    [
      'a time study of a synced reading',
      'metric_readings',
      1001n,
      { time_study_id: 41n, valid_until: '2026-02-28' },
    ],
    ['an end without a time study', 'metric_readings', 1001n, { valid_until: '2026-02-28' }],
    ['a month that is not clamped', 'metric_readings', 1002n, { valid_until: '2026-03-03' }],
  ],
  '18-check-canonical': [
    ['keys out of order', 'metric_readings', 1001n, { dimensions: '{"team":"mail","region":"x"}' }],
    ['a key twice', 'metric_readings', 1001n, { dimensions: '{"team":"mail","team":"mail"}' }],
    ['white space', 'metric_readings', 1001n, { dimensions: '{"region": "x"}' }],
    ['an array', 'metric_readings', 1001n, { dimensions: '["region"]' }],
    ['no JSON', 'metric_readings', 1001n, { dimensions: '{' }],
    [
      'keys of an input out of order',
      'reported_value',
      14n,
      { input_snapshot: '{"expression":"a","inputs":{"a":{"value":1,"label":"x"}}}' },
    ],
    [
      'inputs out of order',
      'reported_value',
      14n,
      { input_snapshot: '{"expression":"a","inputs":{"b":{"value":1},"a":{"value":1}}}' },
    ],
  ],
  '19-check-ai-spend': [
    ['a month that begins later', 'ai_spend', UNLINKED, { month: '2026-05-02' }],
    ['another currency', 'ai_spend', UNLINKED, { currency: 'EUR' }],
    [
      'a bill of no connection',
      'ai_spend',
      BILL,
      { connection_id: null, platform: null, connection_name: null },
    ],
    ['a vendor with a connection', 'ai_spend', VENDOR, { connection_id: 71n, platform: 'bridge' }],
    ['a connection without a platform', 'ai_spend', BILL, { platform: null }],
    ['a vendor with the name of a connection', 'ai_spend', VENDOR, { connection_name: 'Main' }],
    ['a vendor without a name', 'ai_spend', VENDOR, { vendor_name: null }],
    ['cards with a vendor', 'ai_spend', CARD, { vendor_name: 'OpenAI' }],
    ['cards with an attribution', 'ai_spend', CARD, { attribution: 'unbooked' }],
    ['cards set aside', 'ai_spend', CARD, { set_aside: false }],
    ['initiatives of cards', 'ai_spend', CARD, { initiative_count: 0 }],
    ['an AI part of cards', 'ai_spend', CARD, { ai_billed_cents: 1n }],
    ['a booked AI part of cards', 'ai_spend', CARD, { ai_booked_cents: 0n }],
    ['a vendor without an attribution', 'ai_spend', VENDOR, { attribution: null }],
    ['a booking of a whole provider bill', 'ai_spend', BILL, { booked_cents: 0n }],
    ['cards without a booking', 'ai_spend', CARD, { booked_cents: null }],
    ['more AI booked than billed', 'ai_spend', VENDOR, { ai_booked_cents: 901n }],
    ['AI booked of what is unlinked', 'ai_spend', UNLINKED, { ai_booked_cents: 1n }],
    ['attributed to nobody', 'ai_spend', VENDOR, { initiative_count: 0 }],
    ['unbooked, to an initiative', 'ai_spend', UNLINKED, { attribution: 'unbooked' }],
  ],
  '21-check-periods': [
    ['a reading that begins after midnight', 'metric_readings', 1001n, { period_start: at('2026-06-01', 1) }],
    ['a reading that ends before it begins', 'metric_readings', 1001n, { period_end: at('2026-05-31') }],
  ],
  '24-check-sources': [
    [
      'a synced reading recorded by a person',
      'metric_readings',
      1001n,
      { recorded_by_id: 501n, recorded_by_name: 'Ada' },
    ],
    ['a stranger who decided', 'portfolio_decisions', 901n, { decided_by_id: 999n, decided_by_name: null }],
    ['a budget set under another name', 'budgets', 401n, { set_by_name: 'Bo' }],
    ['a lock without the name', 'accounting_periods', '2025-05-01', { locked_by_name: null }],
  ],
  '26-check-approvals': [
    [
      'an earlier approval than the latest',
      'reported_value',
      11n,
      { approved_at: at('2026-07-10', 4), approved_by_id: 501n },
    ],
    ['the lesser id of two at once', 'reported_value', 14n, { approved_by_id: 501n }],
    [
      'a sign-off taken for an approval',
      'reported_value',
      11n,
      { approved_at: at('2026-07-12'), approved_by_id: 501n },
    ],
    ['a direct approval of what was automatic', 'reported_value', 15n, { approval_source: 'direct' }],
    ['a person who decides automatically', 'approval_decisions', 308n, { decided_by_id: 501n }],
    ['an amount without a currency', 'approval_decisions', 309n, { currency: null }],
    ['a step beyond its chain', 'approval_decisions', 309n, { step: 3 }],
  ],
  '28-check-links': [
    [
      'a page of what is deleted',
      'portfolio_decisions',
      902n,
      { app_url: 'https://app.example.com/decisions/902' },
    ],
    ['no page of what is there', 'portfolio_decisions', 901n, { app_url: null }],
  ],
  '29-check-locks': [
    ['a lock of an open month', 'accounting_periods', '2026-07-01', { locked: true }],
    ['a locked month that never was', 'accounting_periods', '2025-05-01', { locked_at: null }],
    ['a month reopened for no reason', 'accounting_periods', '2025-06-01', { reopen_reason: null }],
    ['a month reopened at no time', 'accounting_periods', '2025-06-01', { reopened_at: null }],
  ],
  '36-check-control-documents': [
    ['a restricted title', 'value_supporting_documents', '14 202', { title: 'Contract' }],
    ['an open contract', 'value_supporting_documents', '14 202', { restricted: false }],
    ['a document without a title', 'value_supporting_documents', '14 201', { title: null }],
  ],
  '39-check-own-figures': [
    [
      'a budget that is not its halves',
      'budget_vs_actual',
      TODAY,
      { budget_to_date_cents: 1n, variance_cents: -48_912n },
    ],
    [
      'an actual that is not its halves',
      'budget_vs_actual',
      TODAY,
      { actual_to_date_cents: 1n, variance_cents: 502_009n },
    ],
    ['a variance the other way round', 'budget_vs_actual', TODAY, { variance_cents: -453_097n }],
    ['over with both halves within', 'budget_vs_actual', TODAY, { status: 'over' }],
    [
      'more of the year to date than of the year',
      'budget_vs_actual',
      TODAY,
      { opex_budget_fiscal_ytd_cents: 360_013n },
    ],
    ['a rate below zero', 'budget_vs_actual', TODAY, { budget_monthly_run_rate_cents: -1n }],
    ['a ratio without cash value', 'portfolio_decisions', 902n, { roi: -1 }],
  ],
};

it('45-check-plans-due refuses a plan that is due in a window after the day described', async () => {
  const rows = company();
  // The day is 15 August 2026; the quarter begins on 1 October. Every kind is planned, so only the date is wrong.
  const begun = row(rows, 'reported_totals', 'portfolio fy2027-q2');
  const later = {
    ...begun,
    window_key: 'fy2027-q3',
    window_label: 'FY2027 Q3',
    from_date: '2026-10-01',
    through_date: '2026-12-31',
    planned_value_to_date_cents: 0n,
    planned_capacity_to_date_cents: 0n,
    planned_opex_to_date_cents: 0n,
    planned_capex_cents: 0n,
  };
  const only = ['45-check-plans-due'];
  for (const column of [
    'planned_value_to_date_cents',
    'planned_capacity_to_date_cents',
    'planned_opex_to_date_cents',
  ]) {
    const report = await bench.audit(
      { ...rows, reported_totals: [...(rows['reported_totals'] ?? []), { ...later, [column]: 1n }] },
      { control: controlOf(rows), only },
    );
    expect(report.checks.find(({ passed }) => !passed)?.offences).toEqual([
      {
        subject: 'reported_totals',
        place: 'fy2027-q3',
        figure: column,
        expected: '0',
        found: '1',
        rule: 'nothing is due in a window that has not begun',
      },
    ]);
  }
  // A window that begins on the very day is not to come.
  const today = { ...later, from_date: '2026-08-15', planned_value_to_date_cents: 1n };
  const begins = { ...rows, reported_totals: [...(rows['reported_totals'] ?? []), today] };
  expect(refusals(await bench.audit(begins, { control: controlOf(rows), only }))).toEqual([]);
});

describe.each(Object.entries(RULES))('the check %s', (check, cases) => {
  it.each(cases)('refuses %s', async (_, table, key, change) => {
    const rows = company();
    Object.assign(row(rows, table, key), change);
    const report = await bench.audit(rows, { control: controlOf(rows), only: [check] });
    expect(refusals(report)).toEqual([check]);
  });
});

describe('a reading', () => {
  // semantics.md: recorded_by only for manual, assistant and csv. Ada is person 501 of the account.
  it.each([
    ['manual', true],
    ['assistant', true],
    ['csv', true],
    ['integration', false],
    ['calculated', false],
    ['system', false],
    ['time_study', false],
  ])('from %s with a recorder passes 24-check-sources: %s', async (source_type, passes) => {
    const rows = company();
    const recorded = { source_type, recorded_by_id: 501n, recorded_by_name: 'Ada' };
    Object.assign(row(rows, 'metric_readings', 1002n), recorded);
    const only = ['24-check-sources'];
    expect(refusals(await bench.audit(rows, { control: controlOf(rows), only }))).toEqual(passes ? [] : only);
    row(rows, 'metric_readings', 1002n)['recorded_by_name'] = 'Bo'; // not the name of person 501
    expect(refusals(await bench.audit(rows, { control: controlOf(rows), only }))).toEqual(only);
  });
});

describe('a decision', () => {
  it('is no failure if its initiative is deleted or was a sample at the time', async () => {
    const rows = company();
    const control = controlOf(rows);
    Object.assign(row(rows, 'budgets', 402n), { approval_decision_id: 391n }); // control states 390 and 391 as samples'
    Object.assign(row(rows, 'approval_decisions', 309n), { initiative_id: null, subject_id: 77n });
    const report = await bench.audit(rows, { control, only: ['15-check-references'] });
    expect(refusals(report)).toEqual([]);
  });

  it('that approved an entry while it belonged to a sample is in no file, and its time is held all the same', async () => {
    const rows = company();
    const control = controlOf(rows);
    const unlisted = (latest_at: bigint): ControlTotals => ({
      ...control,
      approval_decisions: [
        ...(control['approval_decisions'] ?? []),
        {
          is_sample: 'true',
          subject_kind: 'value_entry',
          decision: 'approved',
          sample_entry_id: '12',
          sample_ids: '392',
          latest_at: String(latest_at),
        },
      ],
    });
    const later = at('2026-07-13', 9);
    const only = ['26-check-approvals'];
    expect(refusals(await bench.audit(rows, { control: unlisted(later), only }))).toEqual(only);
    Object.assign(row(rows, 'reported_value', 12n), { approved_at: later });
    expect(refusals(await bench.audit(rows, { control: unlisted(later), only }))).toEqual([]);
    // A decision before the listed approval decides nothing.
    const earlier = unlisted(at('2026-07-01'));
    expect(refusals(await bench.audit(company(), { control: earlier, only }))).toEqual([]);
  });
});
