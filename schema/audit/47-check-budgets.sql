-- budget_vs_actual has a row for each day and each initiative whose budget covers the day, and no other row. The budget
-- figures of a row follow from the approved budget versions.
set variable reads = ['budgets', 'budget_vs_actual'];
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
  select place, 'rows' as figure, '1' as expected, '0' as found, 'a version covers the month' as rule
  from compared_budgets where found.as_of is null
  union all
  select place, 'rows', '0', '1', 'no version covers the month' from compared_budgets where expected.as_of is null
  union all
  select place, name, expected, found, 'computed from the versions' from cells where expected is distinct from found
)
select 'budget_vs_actual' as subject, * from broken order by all;
