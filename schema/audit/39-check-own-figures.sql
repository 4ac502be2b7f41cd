-- The figures of a row agree with each other: parts add up to the whole; the status is `over` if and only if capex or opex
-- exceeds its budget; roi is the ratio of the amounts in the same row.
set variable reads = ['budget_vs_actual', 'portfolio_decisions'];
with broken as (
  select 'budget_vs_actual' as subject, as_of || ' initiative ' || initiative_id as place,
    'budget_to_date_cents' as figure, (capex_budget_cents::hugeint + opex_budget_to_date_cents)::varchar as expected,
    budget_to_date_cents::varchar as found, 'budget to date is capex and opex' as rule
  from budget_vs_actual where budget_to_date_cents <> capex_budget_cents::hugeint + opex_budget_to_date_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'actual_to_date_cents', (capex_actual_cents::hugeint + opex_actual_cents)::varchar, actual_to_date_cents::varchar,
    'actual to date is capex and opex'
  from budget_vs_actual where actual_to_date_cents <> capex_actual_cents::hugeint + opex_actual_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'variance_cents', (budget_to_date_cents::hugeint - actual_to_date_cents)::varchar, variance_cents::varchar,
    'the variance is budget less actual'
  from budget_vs_actual where variance_cents <> budget_to_date_cents::hugeint - actual_to_date_cents
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, 'status', if(status = 'over', 'within', 'over'), status,
    'a budget is over exactly when its capex or its opex is'
  from budget_vs_actual
  where (status = 'over') <> (capex_actual_cents > capex_budget_cents or opex_actual_cents > opex_budget_to_date_cents)
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id,
    'opex_budget_fiscal_ytd_cents, capex_budget_cents and budget_monthly_run_rate_cents',
    'none below 0, the first at most ' || least(opex_budget_fiscal_year_cents, opex_budget_to_date_cents),
    concat_ws(', ', opex_budget_fiscal_ytd_cents, capex_budget_cents, budget_monthly_run_rate_cents),
    'the budget of the year to date is within that of the year and that since the budget began'
  from budget_vs_actual
  where opex_budget_fiscal_ytd_cents > opex_budget_fiscal_year_cents or opex_budget_fiscal_ytd_cents > opex_budget_to_date_cents
    or least(opex_budget_fiscal_ytd_cents, capex_budget_cents, budget_monthly_run_rate_cents) < 0
  union all
  select 'portfolio_decisions', 'portfolio_decision_id ' || portfolio_decision_id, 'roi', derived::varchar, roi::varchar,
    'the ratio is that of the amounts beside it'
  from (
    select *, if(cash_value_cents > 0 and cost_to_date_cents > 0,
      (cash_value_cents - cost_to_date_cents)::double / cost_to_date_cents::double, null) as derived
    from portfolio_decisions)
  where roi is distinct from derived
)
from broken order by all;
