-- Totals whose change differs from the sum of the amounts that explain it; no rows if every cent is explained.
select
  concat_ws(' ', scope, initiative_id, window_key, figure) as place,
  (after_cents - before_cents)::varchar as expected,
  coalesce(explained_cents, 0)::varchar as found
from explained_totals
where after_cents - before_cents is distinct from explained_cents
union all
select
  concat_ws(' ', if(e.initiative_id is null, 'portfolio', 'initiative'), e.initiative_id, e.window_key, e.figure),
  '0',
  sum(e.cents)::varchar
from explanations e
anti join moved_totals m
  on m.figure = e.figure and m.window_key = e.window_key and m.initiative_id is not distinct from e.initiative_id
-- Rows of initiatives have no further figures.
where e.initiative_id is null or e.figure in ('cash_value_cents', 'freed_capacity_cents', 'cost_cents', 'net_value_cents')
group by e.initiative_id, e.window_key, e.figure
having sum(e.cents) <> 0
order by all;
