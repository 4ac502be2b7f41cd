import { z } from '@hono/zod-openapi';
import type { BudgetVersion } from '../../figures/budget-coverage.ts';
import type { ComparedInitiative } from '../live/budget-comparisons.ts';
import { flag, include_sample, initiative_id } from '../contract/queries.ts';
import { defineFigureList } from '../live/resource.ts';
import {
  arrayOf,
  component,
  day,
  integer,
  number,
  oneOfThese,
  person,
  text,
  boolean,
} from '../contract/shapes.ts';
import { orNull, shownAs, shownPerson } from '../contract/shown.ts';

const current_version = component('BudgetVersion', 'An approved version of a budget.', {
  id: integer('The version.'),
  effective_from: day('The version applies from the month of this day, for whole months.'),
  ends_on: day('The version applies through the month of this day; null without an end.').nullable(),
  capex_cents: integer('The one-time budget: a total, not accrued.'),
  opex_cents: integer('The running budget: a rate per `opex_cadence`.'),
  opex_cadence: oneOfThese(['monthly', 'quarterly', 'annually'], 'What `opex_cents` is a rate per.'),
  source: oneOfThese(['approval', 'revision', 'manual'], 'How the version came to be.'),
  reason: text('The reason, in the words of the person who set the version; null without one.').nullable(),
  set_by: person.nullable(),
});

const row = component('BudgetComparison', 'An initiative against its budget, today.', {
  initiative_id: integer('The initiative.'),
  budgeted: boolean('Whether an approved budget exists; leave rows with false out of any variance total.'),
  status: oneOfThese(
    ['no_budget', 'scheduled', 'within', 'over'],
    '`scheduled`: there is a budget that has not started; `over`: either half is over its budget, strictly.',
  ),
  over_parts: arrayOf(
    z.enum(['capex', 'opex']),
    'The halves that are over budget; empty unless the status is `over`.',
  ),
  currency: text(
    "The ISO 4217 currency of every amount: the budget's, without one the initiative's.",
  ).nullable(),
  as_of: day('Today. Costs dated later are not counted as spent.'),
  capex_budget_cents: integer("The current version's one-time budget."),
  capex_actual_cents: integer('CapEx spent since the budget began; 0 without a budget.'),
  capex_remaining_cents: integer('CapEx budget less CapEx spent; negative when exceeded.'),
  opex_budget_to_date_cents: integer(
    "Each month's rate from the budget's first month through the current one, by the version that covers it.",
  ),
  opex_actual_cents: integer('OpEx spent since the budget began; 0 without a budget.'),
  budget_monthly_run_rate_cents: integer("The current version's OpEx rate per month."),
  actual_monthly_run_rate_cents: integer(
    'Mean OpEx of the last 3 complete months the budget covered; null until one has passed.',
  ).nullable(),
  budget_to_date_cents: integer('CapEx budget plus OpEx budget to date.'),
  actual_to_date_cents: integer('CapEx and OpEx spent since the budget began; 0 without a budget.'),
  variance_cents: integer('Budget to date less actual to date; positive is under budget.'),
  used_ratio: number('Actual over budget to date; null when there is no budget to date.').nullable(),
  spent_before_budget_cents: integer(
    "Spend dated before the budget's first month; not counted in the fields above.",
  ),
  opex_budget_fiscal_year_cents: integer('The OpEx budget of the whole fiscal year.'),
  opex_budget_fiscal_ytd_cents: integer('The part of the OpEx budget through the month of `as_of`.'),
  opex_actual_fiscal_ytd_cents: integer(
    "OpEx spent since the later of the fiscal year's and the budget's first day.",
  ),
  budget_started_on: day(
    'The first day of the first month of the first approved version; null without one.',
  ).nullable(),
  revised: boolean('Whether the budget was changed since its first approval.'),
  version_count: integer('How many approved versions there are.'),
  revision_pending: boolean(
    'True while a revision above a threshold awaits approval; until then the figures are those of the approved version.',
  ),
  current_version: current_version.nullable(),
});

// A page of 500 initiatives may read most of an account's costs.
const TIMEOUT_MS = 20_000;

/** One comparison per initiative, with or without a budget. */
export const budgets = defineFigureList({
  name: 'budgets',
  component: 'BudgetComparison',
  sentence: "Each initiative's spend compared with its budget, as of today.",
  row,
  filters: {
    initiative_id,
    include_sample,
    budgeted: flag(
      'True for only rows with a budget. Rows are filtered after the page is cut, so a page may be short while `has_more` is true.',
    ),
  },
  timeout_ms: TIMEOUT_MS,
  read: (reads, page, filters) => reads.comparisons(page, filters),
  keep: ({ comparison }, { budgeted }) => comparison.budgeted || !budgeted,
  show: showComparison,
});

/** A comparison in its JSON form. */
function showComparison({ comparison }: ComparedInitiative): z.output<typeof row> {
  return shownAs(row, comparison, {
    over_parts: [...comparison.over_parts],
    current_version: orNull(comparison.current_version, showVersion),
  });
}

function showVersion(version: BudgetVersion): z.output<typeof current_version> {
  const { id = null, name = null } = version.set_by ?? {};
  return shownAs(current_version, version, { set_by: shownPerson(id, name) });
}
