-- Only rows of the portfolio state how much of the plans is due by now; quarters add up to their year. The amount is 0 in a
-- window that begins after the snapshot's day (except planned capex), and for a figure that no initiative plans.
set variable reads = ['initiatives', 'reported_totals'];
with due as (
  select window_key, from_date, if(window_kind = 'fiscal_quarter', left(window_key, -3), null) as year_key, unnest([
    {'figure': 'planned_value_to_date_cents', 'cents': planned_value_to_date_cents},
    {'figure': 'planned_capacity_to_date_cents', 'cents': planned_capacity_to_date_cents},
    {'figure': 'planned_opex_to_date_cents', 'cents': planned_opex_to_date_cents},
    {'figure': 'planned_capex_cents', 'cents': planned_capex_cents}
  ], recursive := true)
  from reported_totals where scope = 'portfolio'
), planned as (
  select unnest([
    {'figure': 'planned_value_to_date_cents', 'is_planned': count(*) filter (where planned_value_cents <> 0) > 0},
    {'figure': 'planned_capacity_to_date_cents', 'is_planned': count(*) filter (where planned_capacity_cents <> 0) > 0},
    {'figure': 'planned_opex_to_date_cents', 'is_planned': count(*) filter (where planned_opex_cents <> 0) > 0},
    {'figure': 'planned_capex_cents', 'is_planned': count(*) filter (where planned_capex_cents <> 0) > 0}
  ], recursive := true)
  from initiatives where stage not in ('rejected', 'dismissed')
), broken as (
  select if(scope = 'initiative', 'initiative ' || said(initiative_id) || ' ', '') || window_key as place,
    'planned_value_to_date_cents, planned_capacity_to_date_cents, planned_opex_to_date_cents and planned_capex_cents' as figure,
    if(scope = 'portfolio', 'none empty', 'all empty') as expected,
    concat_ws(', ', said(planned_value_to_date_cents), said(planned_capacity_to_date_cents),
      said(planned_opex_to_date_cents), said(planned_capex_cents)) as found,
    'only portfolio rows state how much of the plans is due' as rule
  from reported_totals
  where (scope = 'portfolio') is distinct from (planned_value_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_capacity_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_opex_to_date_cents is not null)
    or (scope = 'portfolio') is distinct from (planned_capex_cents is not null)
  union all
  select d.window_key, d.figure, sum(q.cents)::varchar, d.cents::varchar, 'its quarters add up to it'
  from due d join due q on q.year_key = d.window_key and q.figure = d.figure
  group by d.window_key, d.figure, d.cents having count(*) = 4 and sum(q.cents) <> d.cents
  union all
  select window_key, figure, '0', cents::varchar, 'nothing is due in a window that has not begun'
  from due where from_date > (select as_of from snapshot) and cents <> 0 and figure <> 'planned_capex_cents'
  union all
  select window_key, figure, '0', cents::varchar, 'nothing is due without a plan'
  from due join planned using (figure) where cents <> 0 and not is_planned
)
select 'reported_totals' as subject, * from broken order by all;
