/** Each rule refuses the one thing that it alone forbids: the ledger is taken to say what the file says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { company, row } from './audited-company.ts';
import { controlOf } from './audited-control.ts';
import { AuditBench, refusals } from './audited-files.ts';
import { at, type MutableRow } from './audited-rows.ts';

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

type Case = readonly [check: string, what: string, table: string, key: bigint | string, change: MutableRow];

const RULES: readonly Case[] = [
  ['13-check-never-empty', 'an empty basis', 'reported_value', 12n, { basis: null }],
  ['13-check-never-empty', 'an empty currency of a plan', 'initiatives', 3n, { currency: null }],
  ['13-check-never-empty', 'a window without an end', 'reported_totals', '3 all', { through_date: null }],
  ['14-check-enumerations', 'a stage that is none', 'initiatives', 3n, { stage: 'sleeping' }],
  [
    '15-check-references',
    'a portfolio row of an initiative',
    'reported_totals',
    'portfolio all',
    { initiative_id: 1n },
  ],
  ['20-check-dollars', 'a currency in small letters', 'costs', 23n, { currency: 'usd' }],
  ['20-check-dollars', 'a dollar entry with another dollar figure', 'costs', 23n, { usd_amount_cents: 701n }],
  ['20-check-dollars', 'a dollar entry without a dollar figure', 'costs', 23n, { usd_amount_cents: null }],
  [
    '20-check-dollars',
    'a dollar entry with a rate',
    'costs',
    23n,
    { usd_rate: 1, usd_rate_from: '2025-12-01', usd_rate_through: '2025-12-01' },
  ],
  ['20-check-dollars', 'a half rounded towards zero', 'reported_value', 15n, { usd_amount_cents: 1_085n }],
  ['20-check-dollars', 'dollars without a rate', 'reported_value', 16n, { usd_amount_cents: 760n }],
  [
    '20-check-dollars',
    'a rate below zero',
    'reported_value',
    16n,
    { usd_rate: -1, usd_amount_cents: -700n, usd_rate_from: '2025-12-01', usd_rate_through: '2025-12-01' },
  ],
  ['20-check-dollars', 'a rate without its first day', 'costs', 22n, { usd_rate_from: null }],
  ['20-check-dollars', 'a rate without its last day', 'costs', 22n, { usd_rate_through: null }],
  ['20-check-dollars', 'rate days in the wrong order', 'costs', 22n, { usd_rate_from: '2026-01-01' }],
  ['20-check-dollars', 'a rate of a day to come', 'costs', 22n, { usd_rate_through: '2026-08-16' }],
  ['20-check-dollars', 'a provisional dollar entry', 'costs', 23n, { usd_rate_provisional: false }],
  ['20-check-dollars', 'no mark on a converted cost', 'costs', 22n, { usd_rate_provisional: null }],
  [
    '21-check-periods',
    'a period that begins after midnight',
    'reported_value',
    13n,
    { period_start: at('2025-05-20', 1) },
  ],
  ['21-check-periods', 'a period that ends before it begins', 'costs', 21n, { period_end: at('2025-04-30') }],
  ['21-check-periods', 'a month without a period', 'costs', 23n, { period_month: '2025-05-01' }],
  [
    '22-check-effects',
    'effects that do not add up',
    'reported_value',
    15n,
    { own_changes_effect_cents: 1_002n },
  ],
  ['22-check-effects', 'one effect alone', 'reported_value', 12n, { own_changes_effect_cents: 5_000n }],
  [
    '23-check-formulas',
    'a digest of something else',
    'reported_value',
    12n,
    { input_snapshot_sha256: '0'.repeat(64) },
  ],
  [
    '23-check-formulas',
    'another expression than the inputs have',
    'reported_value',
    14n,
    { formula_expression: 'b-a' },
  ],
  [
    '23-check-formulas',
    'a version that the formula does not have',
    'reported_value',
    14n,
    { formula_version: 3 },
  ],
  [
    '24-check-sources',
    'a synced cost recorded by a person',
    'costs',
    21n,
    { recorded_by_id: 501n, recorded_by_name: 'Ada' },
  ],
  [
    '24-check-sources',
    'a synced cost without a connection',
    'costs',
    21n,
    { connection_id: null, platform: null },
  ],
  ['24-check-sources', 'a person without the name', 'costs', 22n, { recorded_by_name: null }],
  ['24-check-sources', 'a name of nobody', 'costs', 23n, { recorded_by_name: 'Ada' }],
  [
    '24-check-sources',
    'an entry by hand said to be imported',
    'reported_value',
    13n,
    { provenance: 'Imported from CSV' },
  ],
  [
    '24-check-sources',
    'a draft said to be entered by hand',
    'reported_value',
    16n,
    { provenance: 'Entered by hand' },
  ],
  [
    '24-check-sources',
    'an import said to be a draft',
    'reported_value',
    12n,
    { provenance: 'Recorded by the assistant' },
  ],
  [
    '24-check-sources',
    'another formula named in the provenance',
    'reported_value',
    14n,
    { provenance: 'Calculated by Days' },
  ],
  [
    '24-check-sources',
    'another platform named in the provenance',
    'reported_value',
    15n,
    { provenance: 'Synced from Tunnel' },
  ],
  ['25-check-basis', 'a basis without a baseline', 'reported_value', 12n, { basis: 'measured' }],
  ['25-check-basis', 'an estimate said to be better', 'reported_value', 16n, { basis: 'none' }],
  [
    '26-check-approvals',
    'a person approving automatically',
    'reported_value',
    12n,
    { approval_source: 'auto' },
  ],
  [
    '26-check-approvals',
    'an automatic approval that never was',
    'reported_value',
    16n,
    { approval_source: 'auto' },
  ],
  ['27-check-plans', 'a stage to return to without a pause', 'initiatives', 2n, { stage: 'live' }],
  [
    '28-check-links',
    "a link to another record's page",
    'costs',
    23n,
    { app_url: 'https://app.example.com/initiatives/2/costs/22' },
  ],
  ['29-check-locks', 'a locked cost of an open month', 'costs', 22n, { locked: true }],
  ['29-check-locks', 'an open cost of a locked booking month', 'costs', 23n, { locked: false }],
  [
    '41-check-windows',
    'a window that is said to be over',
    'reported_totals',
    'portfolio fy2027-q2',
    { window_complete: true },
  ],
  ['43-check-ratios', 'a ratio without cash value', 'reported_totals', '1 fy2026-q3', { roi: -1 }],
  [
    '45-check-plans-due',
    'a plan due of an initiative',
    'reported_totals',
    '1 all',
    { planned_value_to_date_cents: 0n },
  ],
  [
    '45-check-plans-due',
    'no statement of what is due',
    'reported_totals',
    'portfolio all',
    { planned_capex_cents: null },
  ],
];

describe('a snapshot in which one value is wrong', () => {
  it.each(RULES)('is refused by %s: %s', async (check, _, table, key, change) => {
    const rows = company();
    Object.assign(row(rows, table, key), change);
    const report = await bench.audit(rows, { control: controlOf(rows), only: [check] });
    expect(refusals(report)).toEqual([check]);
  });
});

describe('a cost that does not say if its rate is provisional', () => {
  // Cost 22 has a rate. Without it, and without the days and the dollar figure, the entry must say `false`.
  const NO_RATE = { usd_rate: null, usd_rate_from: null, usd_rate_through: null, usd_amount_cents: null };
  it.each([
    ['with a rate', {}, 'true or false', 'an entry with a rate says if the rate is provisional'],
    ['without a rate', NO_RATE, 'false', 'without a rate nothing is provisional'],
  ])('is refused with the rule for an entry %s', async (_, change, expected, rule) => {
    const rows = company();
    Object.assign(row(rows, 'costs', 22n), change, { usd_rate_provisional: null });
    const report = await bench.audit(rows, { only: ['20-check-dollars'] });
    expect(report.checks.find(({ name }) => name === '20-check-dollars')?.offences).toEqual([
      {
        subject: 'costs',
        place: 'cost_entry_id 22',
        figure: 'usd_rate_provisional',
        expected,
        found: null,
        rule,
      },
    ]);
  });
});

describe('frozen inputs of a formula', () => {
  it.each([
    ['a list', '{"expression":"a-b","inputs":[]}'],
    ['a number', '{"expression":"a-b","inputs":5}'],
    ['not there', '{"expression":"a-b"}'],
  ])('that are %s are refused, though digest and expression are right', async (_, input_snapshot) => {
    const rows = company();
    const input_snapshot_sha256 = sha256Hex(Buffer.from(input_snapshot));
    Object.assign(row(rows, 'reported_value', 14n), { input_snapshot, input_snapshot_sha256 });
    const report = await bench.audit(rows, { only: ['23-check-formulas'] });
    expect(report.checks.find(({ name }) => name === '23-check-formulas')?.offences).toEqual([
      {
        subject: 'reported_value',
        place: 'value_entry_id 14',
        figure: 'inputs of input_snapshot',
        expected: 'an object in a JSON object',
        found: 'none',
        rule: 'an entry of a formula has inputs',
      },
    ]);
  });
});

describe('a baseline', () => {
  it.each([
    ['history', '2026-01-31', false, 'measured'],
    ['history', '2026-02-01', false, 'estimated'], // the day of go-live
    ['time_study', '2026-02-01T00:00:00+01:00', false, 'measured'], // still January in UTC
    ['without_ai_sample', '2026-03-01', false, 'reconstructed'],
    ['benchmark', '2025-01-01', false, 'estimated'],
    ['history', '2026-01-31', true, 'estimated'],
  ])(
    'from %s of %s, marked estimated %s, makes an entry %s',
    async (method, observed_at, is_estimated, basis) => {
      const rows = company();
      const input_snapshot = JSON.stringify({
        expression: 'a-b',
        inputs: { b: { baseline_method: method, observed_at, source_type: 'baseline' } },
      });
      const passing: string[] = [];
      for (const said of ['measured', 'reconstructed', 'estimated', 'none']) {
        Object.assign(row(rows, 'reported_value', 14n), { input_snapshot, is_estimated, basis: said });
        if ((await bench.audit(rows, { only: ['25-check-basis'] })).passed) passing.push(said);
      }
      expect(passing).toEqual([basis]);
    },
  );

  it('with weak evidence takes precedence over one with strong evidence', async () => {
    const rows = company();
    const inputs = ['history', 'without_ai_sample'].map((baseline_method) => ({
      baseline_method,
      source_type: 'baseline',
    }));
    const input_snapshot = JSON.stringify({ expression: 'a-b', inputs: { a: inputs[0], b: inputs[1] } });
    Object.assign(row(rows, 'reported_value', 14n), { input_snapshot, basis: 'reconstructed' });
    expect((await bench.audit(rows, { only: ['25-check-basis'] })).passed).toBe(true);
  });
});
