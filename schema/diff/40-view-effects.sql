-- The dollars that each changed entry removes from or adds to an initiative's month. Freed capacity is floored at zero per
-- initiative and month, so the part of an entry depends on the entries counted before it. Entries are counted in the order
-- of reasons, then of ids; the parts add up to the change of the floored sum.
create table effects as
with differences as (
  select
    reason, table_name, id, initiative_id, month,
    sum(sign * cash)::bigint as cash,
    sum(sign * capacity)::bigint as capacity,
    sum(sign * capex)::bigint as capex,
    sum(sign * opex)::bigint as opex,
    sum(sign * price_effect)::bigint as price_effect
  from (select *, if(side = 'earlier', -1, 1) as sign from entries)
  join entry_reasons using (table_name, id)
  group by all
), begun as (
  select initiative_id, month, sum(capacity)::bigint as capacity from entries where side = 'earlier' group by all
), counted as (
  select d.*, coalesce(begun.capacity, 0)
    + sum(d.capacity) over (partition by d.initiative_id, d.month order by reason, id rows unbounded preceding) as reached
  from differences d
  left join begun on begun.initiative_id = d.initiative_id and begun.month is not distinct from d.month
)
select * exclude (capacity, reached), (greatest(reached, 0) - greatest(reached - capacity, 0))::bigint as freed
from counted;

-- The same effects with the fiscal calendar that decides their windows: the calendar of the earlier snapshot. If the later
-- snapshot has another calendar, all its amounts also move from windows of the earlier calendar to windows of the later one.
create table placed_effects as
with calendars as (
  select
    max(fiscal_year_start_month - 1) filter (where side = 'earlier') as earlier_shift,
    max(fiscal_year_start_month - 1) filter (where side = 'later') as later_shift
  from snapshots
), held as (
  select initiative_id, month, sum(cash)::bigint as cash, greatest(sum(capacity), 0)::bigint as freed, sum(capex)::bigint as capex,
    sum(opex)::bigint as opex, sum(price_effect)::bigint as price_effect
  from entries where side = 'later'
  group by all
)
select reason, table_name || id as entry, initiative_id, month, earlier_shift as shift,
  cash, freed, capex, opex, price_effect
from effects cross join calendars
union all
select place('fiscal_year_moved'), null, initiative_id, month, shift,
  sign * cash, sign * freed, sign * capex, sign * opex, sign * price_effect
from held
cross join (
  select earlier_shift as shift, -1 as sign from calendars where earlier_shift <> later_shift
  union all
  select later_shift, 1 from calendars where earlier_shift <> later_shift
) as moves;
