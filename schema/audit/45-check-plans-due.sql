-- Reads initiatives, reported_totals. What is due of plans is stated for the portfolio alone, quarter by quarter as by
-- year; nothing is due of a window that begins after the day described, nor of a kind that nobody planned.
with due as (
  select window_kind, window_key, from_date,
    if(window_kind = 'fiscal_quarter', left(window_key, -3), null) as year_key,
    planned_value_to_date_cents as value, planned_capacity_to_date_cents as capacity,
    planned_opex_to_date_cents as opex, planned_capex_cents as capex
  from reported_totals where scope = 'portfolio'
), planned as (
  select
    count(*) filter (where planned_value_cents <> 0) > 0 as value,
    count(*) filter (where planned_capacity_cents <> 0) > 0 as capacity,
    count(*) filter (where planned_opex_cents <> 0) > 0 as opex,
    count(*) filter (where planned_capex_cents <> 0) > 0 as capex
  from initiatives where stage not in ('rejected', 'dismissed')
), whole_years as (
  select year_key, sum(value) as value, sum(capacity) as capacity, sum(opex) as opex, sum(capex) as capex
  from due where year_key is not null group by year_key having count(*) = 4
), broken as (
  select if(scope = 'initiative', 'initiative ' || said(initiative_id) || ' ', '') || window_key as place,
    if(scope = 'portfolio', 'the portfolio states what is due', 'an initiative states nothing due') as expected,
    'it is ' || concat_ws(' ', said(planned_value_to_date_cents), said(planned_capacity_to_date_cents),
      said(planned_opex_to_date_cents), said(planned_capex_cents)) as found
  from reported_totals
  where (scope = 'portfolio') is distinct from (planned_value_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_capacity_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_opex_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_capex_cents is not null)
  union all
  select window_key, 'its quarters add up to ' || concat_ws(' ', q.value, q.capacity, q.opex, q.capex),
    'due is ' || concat_ws(' ', due.value, due.capacity, due.opex, due.capex)
  from due join whole_years q on q.year_key = window_key
  where due.value <> q.value or due.capacity <> q.capacity or due.opex <> q.opex or due.capex <> q.capex
  union all
  select window_key, 'nothing is due of what is still to come', 'due is ' || concat_ws(' ', value, capacity, opex)
  from due where from_date > (select as_of from snapshot) and (value <> 0 or capacity <> 0 or opex <> 0)
  union all
  select window_key, 'nothing is due of what nobody planned',
    'due is ' || concat_ws(' ', due.value, due.capacity, due.opex, due.capex)
  from due cross join planned
  where (due.value <> 0 and not planned.value) or (due.capacity <> 0 and not planned.capacity)
    or (due.opex <> 0 and not planned.opex) or (due.capex <> 0 and not planned.capex)
)
select 'reported_totals' as subject, * from broken order by all;
