-- Totals whose move is not what the amounts that explain it add up to; none when every cent is explained.
select
  scope || coalesce(' ' || initiative_id, '') || ' ' || window_key || ' ' || figure as place,
  (after_cents - before_cents)::varchar as expected,
  coalesce(explained_cents, 0)::varchar as found
from explained_totals
where after_cents - before_cents is distinct from explained_cents
order by scope, initiative_id, window_key, ordinal;
