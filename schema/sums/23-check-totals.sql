-- Floored by initiative and month, the sums are the figures of all time in reported_totals.
set variable reads = ['sums/month_sums', 'reported_totals'];
with months as (
  select initiative_id, sum(cash_value_cents) as cash, sum(capex_cents) as capex, sum(opex_cents) as opex,
    greatest(sum(capacity_cents) - sum(capacity_realized_cents), 0) as freed
  from month_sums where initiative_id is not null
  group by initiative_id, month
), totals as (
  select initiative_id, {cash_value_cents: sum(cash)::bigint, freed_capacity_cents: sum(freed)::bigint,
    cost_cents: sum(capex + opex)::bigint} as amounts
  from months group by initiative_id
  union all
  select null, {cash_value_cents: coalesce(sum(cash), 0)::bigint, freed_capacity_cents: coalesce(sum(freed), 0)::bigint,
    cost_cents: coalesce(sum(capex + opex), 0)::bigint}
  from months
), reported as (
  select initiative_id, {cash_value_cents: cash_value_cents, freed_capacity_cents: freed_capacity_cents, cost_cents: cost_cents}
    as amounts
  from reported_totals where window_key = 'all'
)
select 'month_sums' as subject, coalesce('initiative ' || coalesce(r.initiative_id, t.initiative_id), 'portfolio') as place,
  'all time' as figure, said(r.amounts) as expected, said(t.amounts) as found, 'reported_totals has the same figures' as rule
from reported r full join totals t on t.initiative_id is not distinct from r.initiative_id
-- An initiative without an entry has no sums, and zeros in reported_totals.
where coalesce(t.amounts, {cash_value_cents: 0::bigint, freed_capacity_cents: 0::bigint, cost_cents: 0::bigint})
  is distinct from r.amounts
order by all;
