import { columnsOf, defineTable, field, repeating } from './table.ts';

/** Each budgeted initiative against its budget, today and at the last fiscal quarter ends. */
export const budget_vs_actual = defineTable({
  name: 'budget_vs_actual',
  grain: 'one row per budgeted initiative per as_of day',
  description:
    "Budget against actual on the snapshot's day and at the end of each of the last 8 complete fiscal quarters; only where an approved version is in effect. CapEx is a total against a total, OpEx is spend against the budget for the months elapsed.",
  key: ['initiative_id', 'as_of'],
  from: null,
  columns: columnsOf({
    as_of: repeating('date', 'The day of the comparison; costs dated later do not count.'),
    initiative_id: repeating('id', 'The initiative.', { references: 'initiatives' }),
    status: field('string', '`over` when CapEx or OpEx exceeds its budget, otherwise `within`.', {
      values: ['within', 'over'],
    }),
    budget_id: repeating('id', 'The version in effect on that day.', { references: 'budgets' }),
    revised: field('boolean', 'True when more than one approved version had been decided by that day.'),
    capex_budget_cents: field('cents', 'The one-time budget of the version in effect.'),
    capex_actual_cents: field('cents', 'CapEx spent since the budget began.'),
    opex_budget_to_date_cents: field(
      'cents',
      'The OpEx budget of all months from the first month of the budget through the month of the day, each by the version that covers it.',
    ),
    opex_actual_cents: field('cents', 'OpEx spent since the budget began.'),
    budget_to_date_cents: field('cents', 'The CapEx budget plus the OpEx budget to date.'),
    actual_to_date_cents: field('cents', 'CapEx and OpEx spent since the budget began.'),
    variance_cents: field('cents', 'Budget less actual to date; positive is under budget.'),
    opex_budget_fiscal_year_cents: field('cents', 'The OpEx budget of the whole fiscal year of the day.'),
    opex_budget_fiscal_ytd_cents: field(
      'cents',
      "The part of the fiscal year's OpEx budget through the month of the day.",
    ),
    opex_actual_fiscal_ytd_cents: field(
      'cents',
      "OpEx spent since the later of the fiscal year's and the budget's first day.",
    ),
    spent_before_budget_cents: field(
      'cents',
      "Spend dated before the budget's first month; in no figure above.",
    ),
    budget_monthly_run_rate_cents: field('cents', 'The OpEx budget of the version in effect, for one month.'),
    actual_monthly_run_rate_cents: field(
      'cents?',
      'Mean monthly OpEx of the last 3 complete months that a budget covers, or of fewer if there are not 3; empty before the first is complete.',
    ),
    currency: repeating('string?', "The ISO 4217 currency of every amount: the budget's; never empty.", {
      never_empty: true,
    }),
  }),
});
