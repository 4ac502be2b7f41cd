/** What must hold of the comparisons of any initiative, worked month by month with the rules read literally. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BudgetVersion } from '../../src/figures/budget-coverage.ts';
import { type BudgetRow, budgetRow, budgetRows } from '../../src/figures/budget-rows.ts';
import { type InitiativeBudget, type MonthlySpend, compareBudget } from '../../src/figures/budget.ts';
import { type BudgetDay, budgetDays } from '../../src/figures/budget-days.ts';
import {
  addDays,
  addMonths,
  firstOfMonth,
  lastOfMonth,
  monthAt,
  monthNumber,
} from '../../src/figures/calendar.ts';
import { decided, version } from './budget-versions.ts';

const SEED = 20_260_715;
const MONTHS = { monthly: 1, quarterly: 3, annually: 12 };

const day = fc.integer({ min: 0, max: 1000 }).map((days) => addDays('2023-11-20', days));

const versions: fc.Arbitrary<readonly BudgetVersion[]> = fc
  .array(
    fc.record({
      status: fc.constantFrom('approved', 'approved', 'approved', 'pending', 'rejected', 'withdrawn'),
      source: fc.constantFrom('approval', 'revision', 'manual'),
      capex_cents: fc.bigInt({ min: 0n, max: 500n }),
      opex_cents: fc.bigInt({ min: 0n, max: 500n }),
      opex_cadence: fc.constantFrom('monthly', 'quarterly', 'annually'),
      effective_from: day,
      length: fc.option(fc.integer({ min: 0, max: 400 })),
      decided_at: fc.constantFrom('2023-12-01', '2024-12-01', '2025-12-01').map(decided),
    }),
    { maxLength: 6 },
  )
  .map((drawn) =>
    drawn.map(({ length, ...each }, index) =>
      version({
        ...each,
        id: BigInt(index + 1),
        ends_on: length === null ? null : addDays(each.effective_from, length),
      }),
    ),
  );

const spend: fc.Arbitrary<readonly MonthlySpend[]> = fc.uniqueArray(
  fc.record({
    month: day.map((each) => firstOfMonth(each)),
    capex_cents: fc.bigInt({ min: -200n, max: 400n }),
    opex_cents: fc.bigInt({ min: -200n, max: 400n }),
  }),
  { selector: ({ month }) => month, maxLength: 20 },
);

const initiative: fc.Arbitrary<InitiativeBudget> = fc.record({
  initiative_id: fc.constant(7n),
  currency: fc.constant('EUR'),
  versions,
  spend,
});

const moment = fc.record({ as_of: day, fiscal_year_start_month: fc.integer({ min: 1, max: 12 }) });

/** The version that a month has, by the order that the rules give. */
function versionOf(all: readonly BudgetVersion[], month: string): BudgetVersion | undefined {
  return all
    .filter((each) => each.status === 'approved' && firstOfMonth(each.effective_from) <= month)
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .at(-1);
}

function rank({ effective_from, decided_at, id }: BudgetVersion): string {
  return [effective_from.slice(0, 7), String(decided_at).padStart(20, '0'), String(id).padStart(5, '0')].join(
    ' ',
  );
}

function coveredBy(all: readonly BudgetVersion[], month: string): BudgetVersion | undefined {
  const its = versionOf(all, month);
  const ends_on = its?.ends_on ?? null;
  return ends_on !== null && lastOfMonth(ends_on) < month ? undefined : its;
}

/** The months from one day's to another's. */
function monthsBetween(from: string, through: string): string[] {
  const first = monthNumber(from);
  return Array.from({ length: Math.max(0, monthNumber(through) - first + 1) }, (_, index) =>
    monthAt(first + index),
  );
}

/** The OpEx budget, a month at a time and then rounded once for each version. */
function opexOf(all: readonly BudgetVersion[], months: readonly string[]): bigint {
  const counted = Map.groupBy(months, (month) => coveredBy(all, month));
  let sum = 0n;
  for (const [its, { length }] of counted) {
    if (its === undefined) continue;
    const twelfths = Number(its.opex_cents) * length * (12 / MONTHS[its.opex_cadence]);
    sum += BigInt(Math.floor((twelfths + 6) / 12));
  }
  return sum;
}

function spentIn(all: readonly MonthlySpend[], months: readonly string[]): { capex: bigint; opex: bigint } {
  const own = all.filter(({ month }) => months.includes(month));
  return {
    capex: own.reduce((sum, each) => sum + each.capex_cents, 0n),
    opex: own.reduce((sum, each) => sum + each.opex_cents, 0n),
  };
}

/** Both halves, the fiscal year and the three months of the run rate, by counting months. */
function naive({ versions: all, spend: entries }: InitiativeBudget, { as_of, today, ...fiscal }: BudgetDay) {
  const starts = all
    .filter(({ status }) => status === 'approved')
    .map(({ effective_from }) => firstOfMonth(effective_from))
    .toSorted();
  const [start] = starts;
  const begun = start === undefined ? [] : monthsBetween(start, as_of);
  const backToYear = (monthNumber(as_of) + 13 - fiscal.fiscal_year_start_month) % 12;
  const year = addMonths(as_of, -backToYear);
  const complete = begun
    .filter((month) => coveredBy(all, month) !== undefined)
    .filter((month) => lastOfMonth(month) < today && lastOfMonth(month) <= as_of)
    .slice(-3);
  const run = Number(spentIn(entries, complete).opex) / complete.length;
  return {
    current_version: versionOf(all, firstOfMonth(as_of)) ?? null,
    in_effect: coveredBy(all, firstOfMonth(as_of)) !== undefined,
    opex_budget_to_date_cents: opexOf(all, begun),
    capex_actual_cents: spentIn(entries, begun).capex,
    opex_actual_cents: spentIn(entries, begun).opex,
    opex_budget_fiscal_year_cents: opexOf(all, monthsBetween(year, addMonths(year, 11))),
    opex_budget_fiscal_ytd_cents: opexOf(all, monthsBetween(year, as_of)),
    opex_actual_fiscal_ytd_cents: spentIn(
      entries,
      begun.filter((month) => month >= year),
    ).opex,
    actual_monthly_run_rate_cents:
      complete.length === 0 ? null : BigInt(Math.sign(run) * Math.floor(Math.abs(run) + 0.5)),
  };
}

const eachDay = (
  at: { as_of: string; fiscal_year_start_month: number },
  test: (on: BudgetDay) => void,
): void => {
  for (const on of budgetDays(at)) test(on);
};

describe('the comparisons of any initiative', () => {
  it('are those of a naive count, month by month', () => {
    fc.assert(
      fc.property(initiative, moment, (one, at) => {
        eachDay(at, (on) => expect(compareBudget(one, on)).toMatchObject(naive(one, on)));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('add up: halves, remainders, and all spend through the day is either before the budget or in it', () => {
    fc.assert(
      fc.property(initiative, moment, (one, at) => {
        eachDay(at, (on) => {
          const c = compareBudget(one, on);
          expect(c.budget_to_date_cents).toBe(c.capex_budget_cents + c.opex_budget_to_date_cents);
          expect(c.actual_to_date_cents).toBe(c.capex_actual_cents + c.opex_actual_cents);
          expect(c.variance_cents).toBe(c.budget_to_date_cents - c.actual_to_date_cents);
          expect(c.capex_remaining_cents).toBe(c.capex_budget_cents - c.capex_actual_cents);
          const { capex, opex } = spentIn(one.spend, monthsBetween('2020-01-01', on.as_of));
          expect(c.actual_to_date_cents + c.spent_before_budget_cents).toBe(c.budgeted ? capex + opex : 0n);
          expect(c.status === 'over').toBe(c.over_parts.length > 0);
        });
      }),
      { seed: SEED },
    );
  });

  it('do not depend on the order of versions or months', () => {
    const shuffled = initiative.chain((one) =>
      fc
        .record({
          versions: fc.shuffledSubarray([...one.versions], { minLength: one.versions.length }),
          spend: fc.shuffledSubarray([...one.spend], { minLength: one.spend.length }),
        })
        .map((parts) => [one, { ...one, ...parts }] as const),
    );
    fc.assert(
      fc.property(shuffled, moment, ([one, other], at) => {
        eachDay(at, (on) => expect(compareBudget(other, on)).toEqual(compareBudget(one, on)));
      }),
      { seed: SEED },
    );
  });

  it('change, by a later version, from the month in which it takes effect and no earlier', () => {
    fc.assert(
      fc.property(initiative, moment, versions, (one, at, more) => {
        const [added] = more;
        if (added === undefined) return;
        const revision = { ...added, id: 99n };
        const first = firstOfMonth(revision.effective_from);
        eachDay(at, (on) => {
          if (on.as_of >= first) return;
          const figures = (all: readonly BudgetVersion[]) => {
            const c = compareBudget({ ...one, versions: all }, on);
            return [
              c.capex_budget_cents,
              c.opex_budget_to_date_cents,
              c.opex_budget_fiscal_ytd_cents,
              c.current_version,
            ];
          };
          expect(figures([...one.versions, revision])).toEqual(figures(one.versions));
        });
      }),
      { seed: SEED },
    );
  });
});

describe('the rows', () => {
  it('are the comparisons in effect, by initiative and day, each key once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(initiative, { maxLength: 4 }), moment, async (drawn, at) => {
        const all = drawn.map((one, index) => ({ ...one, initiative_id: BigInt(index + 1) }));
        const rows: BudgetRow[] = await Array.fromAsync(budgetRows(streamed(all), at));
        expect(rows).toEqual(
          all.flatMap((one) => budgetDays(at).flatMap((on) => budgetRow(compareBudget(one, on)) ?? [])),
        );
        const keys = rows.map(({ initiative_id, as_of }) => `${initiative_id} ${as_of}`);
        expect(keys).toEqual([...new Set(keys)].toSorted());
        const inEffect = all.flatMap((one) =>
          budgetDays(at)
            .filter((on) => compareBudget(one, on).in_effect)
            .map(({ as_of }) => `${one.initiative_id} ${as_of}`),
        );
        expect(keys).toEqual(inEffect);
        for (const { budget_id, ...figures } of rows) {
          expect(['within', 'over']).toContain(figures.status);
          const on = { ...at, as_of: figures.as_of, today: at.as_of };
          const comparison = compareBudget(all[Number(figures.initiative_id) - 1] ?? failed(), on);
          expect(comparison).toMatchObject({ in_effect: true, ...figures });
          expect(comparison.current_version?.id).toBe(budget_id);
        }
      }),
      { seed: SEED, numRuns: 50 },
    );
  });
});

function failed(): never {
  throw new Error('the row is of no initiative that was given');
}

// oxlint-disable-next-line require-await -- a stream of what is already there
async function* streamed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
