-- Reads budgets, budget_vs_actual. There is a row for every budgeted initiative and day, and none more; what it says of the
-- budget follows from the versions.
with cells as (
  select place, unnest([
    {'name': 'budget_id', 'expected': expected.budget_id::varchar, 'found': found.budget_id::varchar},
    {'name': 'revised', 'expected': expected.revised::varchar, 'found': found.revised::varchar},
    {'name': 'capex_budget_cents', 'expected': expected.capex_budget_cents::varchar, 'found': found.capex_budget_cents::varchar},
    {'name': 'opex_budget_to_date_cents', 'expected': expected.opex_budget_to_date_cents::varchar,
      'found': found.opex_budget_to_date_cents::varchar},
    {'name': 'budget_to_date_cents', 'expected': expected.budget_to_date_cents::varchar, 'found': found.budget_to_date_cents::varchar},
    {'name': 'opex_budget_fiscal_year_cents', 'expected': expected.opex_budget_fiscal_year_cents::varchar,
      'found': found.opex_budget_fiscal_year_cents::varchar},
    {'name': 'opex_budget_fiscal_ytd_cents', 'expected': expected.opex_budget_fiscal_ytd_cents::varchar,
      'found': found.opex_budget_fiscal_ytd_cents::varchar},
    {'name': 'budget_monthly_run_rate_cents', 'expected': expected.budget_monthly_run_rate_cents::varchar,
      'found': found.budget_monthly_run_rate_cents::varchar},
    {'name': 'currency', 'expected': expected.currency, 'found': found.currency}
  ], recursive := true)
  from compared_budgets where expected.as_of is not null and found.as_of is not null
), broken as (
  select place, 'a version covers the month' as expected, 'the row is missing' as found from compared_budgets where found.as_of is null
  union all
  select place, 'no version covers the month', 'there is a row' from compared_budgets where expected.as_of is null
  union all
  select place, 'the versions make it ' || said(expected), name || ' is ' || said(found) from cells where expected is distinct from found
)
select 'budget_vs_actual' as subject, * from broken order by all;
