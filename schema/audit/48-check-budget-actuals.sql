-- The spent amounts are the sums of the costs, in the budget's currency. This check skips a row that counts a cost in
-- another currency if the budget is not in dollars; 39-check-own-figures.sql still checks its arithmetic.
set variable reads = ['costs', 'budgets', 'budget_vs_actual'];
with cells as (
  select place, unnest([
    {'name': 'status', 'expected': expected.status, 'found': found.status},
    {'name': 'capex_actual_cents', 'expected': expected.capex_actual_cents::varchar, 'found': found.capex_actual_cents::varchar},
    {'name': 'opex_actual_cents', 'expected': expected.opex_actual_cents::varchar, 'found': found.opex_actual_cents::varchar},
    {'name': 'actual_to_date_cents', 'expected': expected.actual_to_date_cents::varchar, 'found': found.actual_to_date_cents::varchar},
    {'name': 'variance_cents', 'expected': expected.variance_cents::varchar, 'found': found.variance_cents::varchar},
    {'name': 'opex_actual_fiscal_ytd_cents', 'expected': expected.opex_actual_fiscal_ytd_cents::varchar,
      'found': found.opex_actual_fiscal_ytd_cents::varchar},
    {'name': 'spent_before_budget_cents', 'expected': expected.spent_before_budget_cents::varchar,
      'found': found.spent_before_budget_cents::varchar},
    {'name': 'actual_monthly_run_rate_cents', 'expected': expected.actual_monthly_run_rate_cents::varchar,
      'found': found.actual_monthly_run_rate_cents::varchar}
  ], recursive := true)
  from compared_budgets where found.as_of is not null and expected.is_comparable
)
select 'budget_vs_actual' as subject, place, name as figure, expected, found, 'computed from the costs' as rule
from cells where expected is distinct from found
order by all;
