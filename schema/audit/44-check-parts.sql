-- The parts add up: initiatives to the portfolio, quarters to their fiscal year, years and undated entries to all time.
-- The rows of reported_totals are added; only the undated entries come from the entries themselves.
set variable reads = ['reported_value', 'costs', 'reported_totals'];
with figures as not materialized (
  select *,
    coalesce(capex_cents, 0) as capex, coalesce(opex_cents, 0) as opex,
    case window_kind when 'fiscal_quarter' then left(window_key, -3) when 'fiscal_year' then 'all' end as whole_key
  from reported_totals
), undated as (
  select initiative_id, cash, freed, capex + opex as cost, capex, opex from audited_quarters where quarter is null
), parts as (
  select initiative_id, whole_key as window_key, cash_value_cents as cash, freed_capacity_cents as freed, cost_cents as cost,
    capex, opex
  from figures where whole_key is not null
  union all
  select initiative_id, 'all', * exclude (initiative_id) from undated
  union all
  select null, 'all', * exclude (initiative_id) from undated
), initiatives_sum as (
  select null::bigint as initiative_id, window_key, 'the initiatives add up to it' as reason,
    sum(cash_value_cents) as cash, sum(freed_capacity_cents) as freed, sum(cost_cents) as cost,
    null::hugeint as capex, null::hugeint as opex
  from figures where scope = 'initiative' group by window_key
), windows_sum as (
  select initiative_id, window_key, 'its parts add up to it' as reason,
    sum(cash) as cash, sum(freed) as freed, sum(cost) as cost, sum(capex) as capex, sum(opex) as opex
  from parts group by initiative_id, window_key
), sums as (
  from initiatives_sum union all from windows_sum
), compared as (
  select if(s.initiative_id is null, '', 'initiative ' || s.initiative_id || ' ') || s.window_key as place, reason, unnest([
    {'name': 'cash_value_cents', 'part': s.cash, 'whole': w.cash_value_cents::hugeint},
    {'name': 'freed_capacity_cents', 'part': s.freed, 'whole': w.freed_capacity_cents::hugeint},
    {'name': 'cost_cents', 'part': s.cost, 'whole': w.cost_cents::hugeint},
    {'name': 'capex_cents', 'part': if(w.scope = 'initiative', null, s.capex), 'whole': w.capex::hugeint},
    {'name': 'opex_cents', 'part': if(w.scope = 'initiative', null, s.opex), 'whole': w.opex::hugeint}
  ], recursive := true)
  from sums s
  join figures w on coalesce(w.initiative_id, 0) = coalesce(s.initiative_id, 0) and w.window_key = s.window_key
)
select 'reported_totals' as subject, place, name as figure, part::varchar as expected, whole::varchar as found, reason as rule
from compared where part <> whole
union all
select 'reported_totals', if(initiative_id is null, '', 'initiative ' || initiative_id || ' ') || window_key,
  'net_value_cents', (cash_value_cents::hugeint - cost_cents)::varchar, net_value_cents::varchar, 'it is cash value less cost'
from figures where net_value_cents::hugeint <> cash_value_cents::hugeint - cost_cents
union all
select 'reported_totals', window_key, 'cost_cents', (capex::hugeint + opex)::varchar, cost_cents::varchar, 'it is capex and opex'
from figures where scope = 'portfolio' and cost_cents <> capex::hugeint + opex
order by all;
