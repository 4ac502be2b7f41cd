import { column, defineTable, repeating } from './table.ts';

/** Each budgeted initiative against its budget, today and at the last fiscal quarter ends. */
export const budget_vs_actual = defineTable({
  name: 'budget_vs_actual',
  grain: 'one row per budgeted initiative per as_of day',
  description:
    "Budget against actual on the snapshot's day and at the end of each of the last 8 complete fiscal quarters; only where an approved version is in effect. CapEx is a total against a total, OpEx is spend against the budget for the months elapsed.",
  key: ['initiative_id', 'as_of'],
  from: null,
  columns: [
    repeating('as_of', 'date', 'The day compared on; actuals dated later are not yet spent.'),
    repeating('initiative_id', 'id', 'The initiative.', { references: 'initiatives' }),
    column('status', 'string', '`over` when either half is over its budget, strictly.', {
      values: ['within', 'over'],
    }),
    repeating('budget_id', 'id', 'The version in effect on that day.', { references: 'budgets' }),
    column('revised', 'boolean', 'True when more than one approved version had been decided by that day.'),
    column('capex_budget_cents', 'cents', 'The one-time budget of the version in effect.'),
    column('capex_actual_cents', 'cents', 'CapEx spent since the budget began.'),
    column(
      'opex_budget_to_date_cents',
      'cents',
      "Each month's rate from the budget's first month through that of the day, by the version that covered it.",
    ),
    column('opex_actual_cents', 'cents', 'OpEx spent since the budget began.'),
    column('budget_to_date_cents', 'cents', 'The CapEx budget plus the OpEx budget to date.'),
    column('actual_to_date_cents', 'cents', 'CapEx and OpEx spent since the budget began.'),
    column('variance_cents', 'cents', 'Budget less actual to date; positive is under budget.'),
    column('opex_budget_fiscal_year_cents', 'cents', 'The OpEx budget of the whole fiscal year of the day.'),
    column('opex_budget_fiscal_ytd_cents', 'cents', "Its part through the day's month."),
    column(
      'opex_actual_fiscal_ytd_cents',
      'cents',
      "OpEx spent since the later of the fiscal year's and the budget's first day.",
    ),
    column(
      'spent_before_budget_cents',
      'cents',
      "Spend dated before the budget's first month; in no figure above.",
    ),
    column('budget_monthly_run_rate_cents', 'cents', 'The OpEx rate of the version in effect, by the month.'),
    column(
      'actual_monthly_run_rate_cents',
      'cents?',
      'Mean OpEx of the last 3 complete covered months, fewer if fewer; empty before one has passed.',
    ),
    repeating('currency', 'string?', "The ISO 4217 currency of every amount: the budget's; never empty.", {
      never_empty: true,
    }),
  ],
});
