-- Reads budget_vs_actual, portfolio_decisions. A row's own figures fit together: a whole is its parts, a budget is over
-- exactly when a half of it is, and a ratio is that of the amounts beside it.
with broken as (
  select 'budget_vs_actual' as subject, as_of || ' initiative ' || initiative_id as place,
    'budget to date is capex and opex, ' || (capex_budget_cents::hugeint + opex_budget_to_date_cents) as expected,
    'budget_to_date_cents is ' || budget_to_date_cents as found
  from budget_vs_actual where budget_to_date_cents <> capex_budget_cents::hugeint + opex_budget_to_date_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'actual to date is capex and opex, ' || (capex_actual_cents::hugeint + opex_actual_cents),
    'actual_to_date_cents is ' || actual_to_date_cents
  from budget_vs_actual where actual_to_date_cents <> capex_actual_cents::hugeint + opex_actual_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'the variance is budget less actual, ' || (budget_to_date_cents::hugeint - actual_to_date_cents),
    'variance_cents is ' || variance_cents
  from budget_vs_actual where variance_cents <> budget_to_date_cents::hugeint - actual_to_date_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, 'it is over exactly when one half is', 'status is ' || status
  from budget_vs_actual
  where (status = 'over') <> (capex_actual_cents > capex_budget_cents or opex_actual_cents > opex_budget_to_date_cents)
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'the budget of the year to date is within that of the year and that since the budget began',
    concat_ws(' ', opex_budget_fiscal_ytd_cents, opex_budget_fiscal_year_cents, opex_budget_to_date_cents)
  from budget_vs_actual
  where opex_budget_fiscal_ytd_cents > opex_budget_fiscal_year_cents or opex_budget_fiscal_ytd_cents > opex_budget_to_date_cents
    or least(opex_budget_fiscal_ytd_cents, capex_budget_cents, budget_monthly_run_rate_cents) < 0
  union all
  select 'portfolio_decisions', 'portfolio_decision_id ' || portfolio_decision_id, 'the amounts give ' || said(derived), 'roi is ' || said(roi)
  from (
    select *, if(cash_value_cents > 0 and cost_to_date_cents > 0,
      (cash_value_cents - cost_to_date_cents)::double / cost_to_date_cents::double, null) as derived
    from portfolio_decisions)
  where roi is distinct from derived
)
from broken order by all;
