-- For each initiative with a budget, the sum of api_budget_spend equals the spend that budget_vs_actual counts on the snapshot's
-- day. The spend before the budget began is included.
set variable reads = ['companions/api_budget_spend'];
with spent as (
  select initiative_id, sum(capex_cents + opex_cents) as cents from api_budget_spend group by initiative_id
)
select 'api_budget_spend' as subject, 'initiative_id ' || b.initiative_id as place, 'spent_cents' as figure,
  (b.capex_actual_cents + b.opex_actual_cents + b.spent_before_budget_cents)::varchar as expected,
  coalesce(spent.cents, 0)::varchar as found, 'budget_vs_actual counts the same spend' as rule
from budget_vs_actual b
left join spent using (initiative_id)
where b.as_of = (select as_of from snapshot)
  and b.capex_actual_cents + b.opex_actual_cents + b.spent_before_budget_cents <> coalesce(spent.cents, 0)
order by all;
