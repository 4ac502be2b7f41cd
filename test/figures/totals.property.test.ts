/** What must hold of the totals of any account, compared with a naive count of its entries, window by window. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/figures/calendar.ts';
import type { Plan } from '../../src/figures/plan.ts';
import type { EntrySums } from '../../src/figures/rollup.ts';
import { foldTotals } from '../../src/figures/totals.ts';
import type { ReportedTotal } from '../../src/figures/totals.ts';

const SUMMED = ['cash_value_cents', 'freed_capacity_cents', 'cost_cents', 'net_value_cents'] as const;

/** An entry as the ledger has it, each its own kind. */
interface Entry {
  readonly initiative_id: bigint;
  readonly day: string | null;
  readonly type: 'cash' | 'capacity' | 'capacity_realized' | 'capex' | 'opex';
  readonly usd_cents: bigint;
}

const day = fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2023-11-20', days));

const entry: fc.Arbitrary<Entry> = fc.record({
  initiative_id: fc.bigInt({ min: 1n, max: 4n }),
  day: fc.option(day, { freq: 8 }),
  type: fc.constantFrom('cash', 'capacity', 'capacity_realized', 'capex', 'opex'),
  usd_cents: fc.bigInt({ min: -500n, max: 2000n }),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  stage: fc.constantFrom('live', 'paused', 'rejected'),
  is_sample: fc.constant(false),
  confirmed: fc.boolean(),
  currency: fc.constant('USD'),
  usd_rate: fc.constant(null),
  value_total_cents: fc.bigInt({ min: 0n, max: 100_000n }),
  capacity_total_cents: fc.bigInt({ min: 0n, max: 100_000n }),
  opex_total_cents: fc.bigInt({ min: 0n, max: 100_000n }),
  capex_cents: fc.bigInt({ min: 0n, max: 100_000n }),
  horizon_months: fc.constantFrom(0, 12, 36),
  went_live_on: fc.option(day),
  started_on: fc.option(day),
  approved_on: fc.option(day),
  time_to_value_months: fc.option(fc.integer({ min: 0, max: 12 })),
});

const account = fc.record({
  as_of: day,
  fiscal_year_start_month: fc.integer({ min: 1, max: 12 }),
  entries: fc.array(entry, { maxLength: 40 }),
  plans: fc.array(plan, { minLength: 5, maxLength: 5 }),
});

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

const sumOf = (entries: readonly Entry[], ...types: readonly Entry['type'][]): bigint =>
  entries.filter((e) => types.includes(e.type)).reduce((sum, e) => sum + e.usd_cents, 0n);

const groupKey = (e: Entry): string => `${e.initiative_id} ${e.day === null ? '' : e.day.slice(0, 7)}`;

/** What the ledger's view of monthly sums gives for one initiative. */
function groupsOf(entries: readonly Entry[], initiative_id: bigint): EntrySums[] {
  const own = entries.filter((e) => e.initiative_id === initiative_id);
  return [...Map.groupBy(own, groupKey).values()].map((inGroup) => {
    const days = inGroup.flatMap((e) => e.day ?? []).toSorted();
    return {
      initiative_id,
      month: days[0] === undefined ? null : `${days[0].slice(0, 7)}-01`,
      latest_day: days.at(-1) ?? null,
      cash_value_cents: sumOf(inGroup, 'cash', 'capacity_realized'),
      capacity_cents: sumOf(inGroup, 'capacity'),
      capacity_realized_cents: sumOf(inGroup, 'capacity_realized'),
      capex_cents: sumOf(inGroup, 'capex'),
      opex_cents: sumOf(inGroup, 'opex'),
      vendor_price_effect_cents: null,
    };
  });
}

/** All rows of an account; the fifth initiative has a plan only. */
function rowsOf(
  { entries, plans, ...moment }: Account,
  reorder = (groups: EntrySums[]): EntrySums[] => groups,
): ReportedTotal[] {
  const fold = foldTotals(moment);
  const rows = plans.flatMap((ofInitiative, index) =>
    fold.addInitiative({
      initiative_id: BigInt(index + 1),
      groups: reorder(groupsOf(entries, BigInt(index + 1))),
      plan: ofInitiative,
    }),
  );
  return [...rows, ...fold.portfolioRows()];
}

/** The naive count: the entries whose day lies in the window, grouped by initiative and month for the floor. */
function expectedFigures(row: ReportedTotal, entries: readonly Entry[]): object {
  const inWindow = entries.filter(
    (e) =>
      (row.scope === 'portfolio' || e.initiative_id === row.initiative_id) &&
      (row.from_date === null || (e.day !== null && e.day >= row.from_date && e.day <= row.through_date)),
  );
  let freed = 0n;
  for (const inGroup of Map.groupBy(inWindow, groupKey).values()) {
    const left = sumOf(inGroup, 'capacity') - sumOf(inGroup, 'capacity_realized');
    if (left > 0n) freed += left;
  }
  const value = sumOf(inWindow, 'cash', 'capacity_realized');
  const cost = sumOf(inWindow, 'capex', 'opex');
  return {
    cash_value_cents: value,
    freed_capacity_cents: freed,
    cost_cents: cost,
    net_value_cents: value - cost,
    roi: value > 0n && cost > 0n ? Number(value - cost) / Number(cost) : null,
  };
}

const total = (rows: readonly ReportedTotal[], column: keyof ReportedTotal): bigint =>
  rows.reduce((sum, row) => sum + ((row[column] as bigint | null) ?? 0n), 0n); // only asked for cents

describe('for any account', () => {
  it('every row equals a naive count of the entries in its window', () => {
    fc.assert(
      fc.property(account, (given) => {
        for (const row of rowsOf(given)) expect(row).toMatchObject(expectedFigures(row, given.entries));
      }),
    );
  });

  it('years and undated entries make all time', () => {
    fc.assert(
      fc.property(account, (given) => {
        const undated = { ...given, entries: given.entries.filter((e) => e.day === null) };
        const undatedRows = rowsOf(undated);
        for (const [id, rows] of Map.groupBy(rowsOf(given), (row) => row.initiative_id)) {
          const parts = [
            ...rows.filter((row) => row.window_kind === 'fiscal_year'),
            ...undatedRows.filter((row) => row.initiative_id === id),
          ];
          const all = rows.filter((row) => row.window_kind === 'all_time');
          for (const column of SUMMED) expect(total(parts, column)).toBe(total(all, column));
        }
      }),
    );
  });

  it('quarters make their year', () => {
    fc.assert(
      fc.property(account, (given) => {
        const rows = rowsOf(given);
        for (const year of rows.filter((row) => row.window_kind === 'fiscal_year')) {
          const quarters = rows.filter(
            (row) =>
              row.initiative_id === year.initiative_id && row.window_key.startsWith(`${year.window_key}-`),
          );
          for (const column of SUMMED) expect(total(quarters, column)).toBe(year[column]);
        }
      }),
    );
  });

  it('initiatives make the portfolio, in every window', () => {
    fc.assert(
      fc.property(account, (given) => {
        const rows = rowsOf(given);
        const initiatives = rows.filter((row) => row.scope === 'initiative');
        const portfolio = rows.filter((row) => row.scope === 'portfolio');
        for (const portfolioTotal of portfolio) {
          const parts = initiatives.filter((row) => row.window_key === portfolioTotal.window_key);
          for (const column of SUMMED) expect(total(parts, column)).toBe(portfolioTotal[column]);
        }
        // and there is no window of an initiative that the portfolio lacks
        const known = new Set(portfolio.map((row) => row.window_key));
        expect(initiatives.filter((row) => !known.has(row.window_key))).toEqual([]);
      }),
    );
  });

  it('rows come in the order of scope, initiative and key, each once', () => {
    fc.assert(
      fc.property(account, (given) => {
        const order = rowsOf(given).map((row) => `${row.scope} ${row.initiative_id} ${row.window_key}`);
        expect(order).toEqual([...new Set(order)].toSorted());
      }),
    );
  });

  it('the order of groups does not matter', () => {
    fc.assert(
      fc.property(account, (given) => {
        expect(rowsOf(given, (groups) => groups.toReversed())).toEqual(rowsOf(given));
      }),
    );
  });

  it('a plan moves no figure but the planned ones of the portfolio', () => {
    fc.assert(
      fc.property(account, (given) => {
        const unplanned = { ...given, plans: given.plans.map((p) => ({ ...p, confirmed: false })) };
        const withoutPlanned = rowsOf(given).map((row) => ({
          ...row,
          planned_value_to_date_cents: row.scope === 'portfolio' ? 0n : null,
          planned_capacity_to_date_cents: row.scope === 'portfolio' ? 0n : null,
          planned_opex_to_date_cents: row.scope === 'portfolio' ? 0n : null,
          planned_capex_cents: row.scope === 'portfolio' ? 0n : null,
        }));
        expect(withoutPlanned).toEqual(rowsOf(unplanned));
      }),
    );
  });
});
