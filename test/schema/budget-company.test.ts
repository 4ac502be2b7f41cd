/** The company's budgets as the product reads and compares them, against the page that works them by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetRows } from '../../src/figures/budget-rows.ts';
import type { BudgetRow } from '../../src/figures/budget-rows.ts';
import { type InitiativeBudget, compareBudget } from '../../src/figures/budget.ts';
import { readInitiativeBudgets } from '../../src/ledger/moment/budget-entries.ts';
import { publishedFields, readWorkedBudgets } from '../fixtures/worked/budgets.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';
import { inAccount } from '../support/ledger-rows.ts';

const TODAY = '2026-07-15';

describe('the budgets of the company', () => {
  const MOMENT = { as_of: TODAY, fiscal_year_start_month: 4 };
  const worked = readWorkedBudgets();
  let database: TestDatabase;
  let read: readonly InitiativeBudget[];

  beforeAll(async () => {
    database = await createDatabase('template_company');
    const reader = await database.client('cf_reader');
    read = await inAccount(reader, 1n, () =>
      Array.fromAsync(readInitiativeBudgets(reader, { account_id: 1n, as_of: TODAY, wanted: 'all' })),
    );
  });
  afterAll(() => database.drop());

  it('compare as worked by hand, every field on every day of the page', () => {
    const found = worked.map(({ initiative_id, as_of }) => {
      const initiative = read.find((each) => each.initiative_id === initiative_id);
      if (initiative === undefined) throw new Error(`initiative ${initiative_id} was not read`);
      const comparison = compareBudget(initiative, { ...MOMENT, as_of, today: TODAY });
      return { ...comparison, current_version: comparison.current_version?.id ?? null };
    });
    expect(found).toEqual(worked.map((budget) => publishedFields(budget)));
  });

  it('have a row on each day that a version covers, by initiative and day, and no other', async () => {
    const rows: BudgetRow[] = await Array.fromAsync(budgetRows(streamed(read), MOMENT));
    expect(rows).toEqual(
      worked
        .filter(({ in_effect }) => in_effect)
        .map((budget) => {
          const page = publishedFields(budget);
          const { initiative_id, as_of, budget_id, revised, currency, status } = budget;
          return {
            as_of,
            initiative_id,
            status,
            budget_id,
            revised,
            capex_budget_cents: page.capex_budget_cents,
            capex_actual_cents: page.capex_actual_cents,
            opex_budget_to_date_cents: page.opex_budget_to_date_cents,
            opex_actual_cents: page.opex_actual_cents,
            budget_to_date_cents: page.budget_to_date_cents,
            actual_to_date_cents: page.actual_to_date_cents,
            variance_cents: page.variance_cents,
            opex_budget_fiscal_year_cents: page.opex_budget_fiscal_year_cents,
            opex_budget_fiscal_ytd_cents: page.opex_budget_fiscal_ytd_cents,
            opex_actual_fiscal_ytd_cents: page.opex_actual_fiscal_ytd_cents,
            spent_before_budget_cents: page.spent_before_budget_cents,
            budget_monthly_run_rate_cents: page.budget_monthly_run_rate_cents,
            actual_monthly_run_rate_cents: page.actual_monthly_run_rate_cents,
            currency,
          };
        }),
    );
  });

  it('name the person who set each version, with a null name or no person where none is recorded', () => {
    const setBy = new Map(read.flatMap(({ versions }) => versions).map((each) => [each.id, each.set_by]));
    expect(setBy.get(401n)).toEqual({ id: 3n, name: expect.any(String) });
    expect(setBy.get(405n)).toEqual({ id: 5n, name: null });
    expect(setBy.get(406n)).toBeNull();
  });

  it('contain every initiative that is not a sample, and no sample', () => {
    expect(read.map(({ initiative_id }) => initiative_id)).toEqual(
      worked.filter(({ as_of }) => as_of === TODAY).map(({ initiative_id }) => initiative_id),
    );
  });
});

// oxlint-disable-next-line require-await -- a stream of what is already there
async function* streamed<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
