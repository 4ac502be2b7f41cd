/** Any small company before and after any edits: the rows of both snapshots, totals by the product's own figures. */
import * as fc from 'fast-check';
import { addDays } from '../../src/figures/calendar.ts';
import type { Plan } from '../../src/figures/plan.ts';
import type { EntrySums } from '../../src/figures/rollup.ts';
import { foldTotals, type ReportedTotal } from '../../src/figures/totals.ts';
import { at, cost, initiative, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import type { Rows } from './held-snapshots.ts';

const KINDS = ['cost_savings', 'capacity', 'capacity_realized', 'capex', 'opex'] as const;
/** In hundredths; null while the rate is not known. Amounts are multiples of 100, so that dollars come out whole. */
const RATES = [null, 110n, 125n] as const;

/** An entry as one snapshot has it. */
interface Entry {
  readonly initiative: bigint;
  readonly day: string | null;
  readonly amount: bigint;
  readonly euros: boolean;
  readonly rate: (typeof RATES)[number];
  readonly provisional: boolean;
  readonly effect: bigint | null;
  readonly vendor: bigint;
  readonly approved_minutes: number;
}

const day = fc.integer({ min: 0, max: 700 }).map((days) => addDays('2024-11-20', days));
const anyEntry: fc.Arbitrary<Entry> = fc.record({
  initiative: fc.bigInt({ min: 1n, max: 3n }),
  day: fc.option(day, { freq: 8 }),
  amount: fc.bigInt({ min: -5n, max: 20n }).map((hundreds) => hundreds * 100n),
  euros: fc.boolean(),
  rate: fc.constantFrom(...RATES),
  provisional: fc.boolean(),
  effect: fc.option(fc.bigInt({ min: -3n, max: 9n }).map((hundreds) => hundreds * 100n)),
  vendor: fc.bigInt({ min: 1n, max: 2n }),
  approved_minutes: fc.constantFrom(1, 2),
});

/** An entry of a kind for good, which stood before, stands after, or both: then as it was, or with some of it changed. */
const history = fc.record({
  kind: fc.constantFrom(...KINDS),
  before: fc.option(anyEntry, { freq: 5 }),
  edits: fc.oneof(
    { weight: 2, arbitrary: fc.constant('same' as const) },
    { weight: 1, arbitrary: fc.constant('gone' as const) },
    { weight: 4, arbitrary: fc.record(parts(), { requiredKeys: [] }) },
  ),
  after: anyEntry,
  decision: fc.option(fc.constantFrom('approved', 'step_approved', 'rejected', 'disputed', 'sent_back')),
});

function parts() {
  return {
    initiative: fc.bigInt({ min: 1n, max: 3n }),
    day: fc.option(day),
    amount: fc.constantFrom(100n, 700n, 2000n),
    rate: fc.constantFrom(...RATES),
    provisional: fc.boolean(),
    vendor: fc.constant(2n),
  };
}

const side = fc.record({
  reported: fc.subarray([1n, 2n, 3n], { minLength: 2 }),
  locked: fc.array(day, { maxLength: 4 }),
  fiscal_year_start_month: fc.constantFrom(1, 1, 1, 4),
  planned: fc.bigInt({ min: 0n, max: 50_000n }),
});

export const anyCompany = fc.record({
  before: side,
  after: side,
  entries: fc.array(history, { minLength: 1, maxLength: 40 }),
});

type Company = typeof anyCompany extends fc.Arbitrary<infer T> ? T : never;
type Listed = readonly [id: bigint, kind: (typeof KINDS)[number], entry: Entry];

export interface EditedCompany {
  readonly before: Rows;
  readonly after: Rows;
}

/** Both snapshots of it, two days apart. */
export function rowsOf(company: Company): EditedCompany {
  const listed = (
    of: (one: Company['entries'][number]) => Entry | null,
    { reported }: Company['before'],
  ): Listed[] =>
    company.entries.flatMap((one, index) => {
      const found = of(one);
      return found === null || !reported.includes(found.initiative)
        ? []
        : [[BigInt(index + 1), one.kind, found]];
    });
  const before = listed((one) => one.before, company.before);
  const after = listed(standing, company.after);
  return {
    before: snapshotRows(company.before, '2026-08-15', before, []),
    after: snapshotRows(company.after, '2026-08-17', after, decisions(company)),
  };
}

function standing({ before, edits, after }: Company['entries'][number]): Entry | null {
  if (before === null) return after;
  if (edits === 'gone') return null;
  return edits === 'same' ? before : { ...before, ...edits };
}

function decisions({ entries }: Company): MutableRow[] {
  return entries.flatMap(({ decision }, index) =>
    decision === null
      ? []
      : [
          {
            approval_decision_id: BigInt(index + 1),
            subject_kind: 'value_entry',
            subject_id: BigInt(index + 1),
            initiative_id: 1n,
            subject_title: 'Any',
            item_label: null,
            decision,
            resulting_state: index % 2 === 0 ? 'archived' : null,
            step: null,
            total_steps: null,
            source: 'direct',
            amount_cents: null,
            currency: null,
            reason: null,
            decided_by_id: null,
            decided_by_name: null,
            decided_at: at('2026-08-16'),
          },
        ],
  );
}

function snapshotRows(of: Company['before'], as_of: string, entries: Listed[], decided: MutableRow[]): Rows {
  const { fiscal_year_start_month, reported } = of;
  const isCost = ([, kind]: Listed): boolean => kind === 'capex' || kind === 'opex';
  const months = [...new Set(of.locked.map((locked) => `${locked.slice(0, 7)}-01`))].toSorted();
  const fold = foldTotals({ as_of, fiscal_year_start_month });
  const initiatives = reported.map((id) => ({
    initiative_id: id,
    groups: groupsOf(entries, id),
    plan: planOf(of),
  }));
  const totals = initiatives.flatMap((each) => fold.addInitiative(each));
  return {
    snapshot: [
      {
        schema_version: 'v1',
        generated_at: at(as_of, 7200),
        as_of,
        account_id: 7n,
        account_name: 'Any',
        fiscal_year_start_month,
        sample_initiatives_excluded: 0,
      },
    ],
    initiatives: reported.map((id) => initiative(id, {})),
    costs: entries.filter(isCost).map((each) => costRow(each, months)),
    reported_value: entries.filter((each) => !isCost(each)).map(valueRow),
    accounting_periods: months.map((month) => lockedMonth(month)),
    approval_decisions: decided,
    reported_totals: [...totals, ...fold.portfolioRows()],
  };
}

function costRow([id, kind, entry]: Listed, months: readonly string[]): MutableRow {
  const month = (entry.day ?? '2025-05-03').slice(0, 7); // undated, that of its booking day
  return cost(id, entry.initiative, entry.day, {
    ...money(entry),
    cost_category: kind,
    usd_rate_provisional: entry.euros ? entry.rate !== null && entry.provisional : null,
    vendor_id: entry.vendor,
    vendor_name: 'Any',
    locked: months.includes(`${month}-01`),
  });
}

function valueRow([id, kind, entry]: Listed): MutableRow {
  const { effect, amount } = entry;
  return value(id, entry.initiative, entry.day, {
    ...money(entry),
    entry_type: kind,
    vendor_price_effect_cents: effect,
    own_changes_effect_cents: effect === null ? null : amount - effect,
    approved_at: at('2026-08-14', entry.approved_minutes * 60),
  });
}

function money({ amount, euros, rate }: Entry): MutableRow {
  const days = euros && rate !== null ? '2026-01-02' : null;
  return {
    amount_cents: amount,
    currency: euros ? 'EUR' : 'USD',
    usd_amount_cents: dollars(amount, { euros, rate }),
    usd_rate: euros && rate !== null ? Number(rate) / 100 : null,
    usd_rate_from: days,
    usd_rate_through: days,
  };
}

function dollars(amount: bigint, { euros, rate }: Pick<Entry, 'euros' | 'rate'>): bigint | null {
  if (!euros) return amount;
  return rate === null ? null : (amount * rate) / 100n;
}

function groupsOf(entries: readonly Listed[], initiative_id: bigint): EntrySums[] {
  const own = entries.filter(([, , entry]) => entry.initiative === initiative_id);
  return [...Map.groupBy(own, ([, , entry]) => entry.day?.slice(0, 7)).entries()].map(([month, group]) => {
    const sum = (...kinds: readonly string[]): bigint =>
      group.reduce((so, [, kind, e]) => so + (kinds.includes(kind) ? (dollars(e.amount, e) ?? 0n) : 0n), 0n);
    const effects = group.flatMap(([, kind, e]) => {
      const effect = e.effect === null || kind === 'capex' || kind === 'opex' ? null : dollars(e.effect, e);
      return effect === null ? [] : [effect];
    });
    return {
      initiative_id,
      month: month === undefined ? null : `${month}-01`,
      latest_day:
        group
          .flatMap(([, , e]) => e.day ?? [])
          .toSorted()
          .at(-1) ?? null,
      cash_value_cents: sum('cost_savings', 'capacity_realized'),
      capacity_cents: sum('capacity'),
      capacity_realized_cents: sum('capacity_realized'),
      capex_cents: sum('capex'),
      opex_cents: sum('opex'),
      vendor_price_effect_cents: effects.length === 0 ? null : effects.reduce((a, b) => a + b),
    };
  });
}

function planOf({ planned }: Company['before']): Plan {
  return {
    stage: 'live',
    is_sample: false,
    confirmed: true,
    currency: 'USD',
    usd_rate: null,
    value_total_cents: planned,
    capacity_total_cents: planned,
    opex_total_cents: 0n,
    capex_cents: planned,
    horizon_months: 24,
    went_live_on: '2025-06-01',
    started_on: '2025-06-01',
    approved_on: null,
    time_to_value_months: null,
  };
}

function lockedMonth(month: string): MutableRow {
  return {
    month,
    status: 'locked',
    locked: true,
    locked_at: at('2026-08-01'),
    locked_by_id: null,
    locked_by_name: null,
    reopened_at: null,
    reopened_by_id: null,
    reopened_by_name: null,
    reopen_reason: null,
  };
}

/** The figures of totals that are in cents. */
export const FIGURES = [
  'cash_value_cents',
  'freed_capacity_cents',
  'cost_cents',
  'net_value_cents',
  'capex_cents',
  'opex_cents',
  'planned_value_to_date_cents',
  'planned_capacity_to_date_cents',
  'planned_opex_to_date_cents',
  'planned_capex_cents',
  'vendor_price_effect_cents',
] as const satisfies readonly (keyof ReportedTotal)[];
