-- The totals that changed, figure by figure, and the amounts that explain each change.

-- The amounts of each reason in each window of the portfolio and of every initiative.
create table explanations as
with windowed as (
  select 'all' as window_key, * from placed_effects
  union all
  select 'fy' || (quarter // 4 * 12 + shift + 11) // 12 || '-q' || quarter % 4 + 1, * exclude (quarter)
  from (select *, (year(month) * 12 + month(month) - 1 - shift) // 3 as quarter from placed_effects where month is not null)
  union all
  -- A fiscal year is named by the calendar year of its last month.
  select 'fy' || (fiscal_year * 12 + shift + 11) // 12, * exclude (fiscal_year)
  from (select *, (year(month) * 12 + month(month) - 1 - shift) // 12 as fiscal_year from placed_effects where month is not null)
), by_entry as (
  -- One row per window and entry: an entry that moved between two months of a window counts only with the difference.
  select initiative_id, window_key, reason, entry, sum(cash) as cash, sum(freed) as freed, sum(capex) as capex,
    sum(opex) as opex, sum(price_effect) as price_effect
  from windowed
  group by grouping sets ((initiative_id, window_key, reason, entry), (window_key, reason, entry))
), summed as (
  select initiative_id, window_key, reason, sum(cash)::bigint as cash, sum(freed)::bigint as freed, sum(capex)::bigint as capex,
    sum(opex)::bigint as opex, sum(price_effect)::bigint as price_effect,
    count(entry) filter (where cash <> 0) as cash_entries,
    count(entry) filter (where freed <> 0) as freed_entries,
    count(entry) filter (where capex + opex <> 0) as cost_entries,
    count(entry) filter (where cash - capex - opex <> 0) as net_entries,
    count(entry) filter (where capex <> 0) as capex_entries,
    count(entry) filter (where opex <> 0) as opex_entries,
    count(entry) filter (where price_effect <> 0) as price_effect_entries
  from by_entry
  group by all
)
select initiative_id, window_key, reason, unnest([
  {'figure': 'cash_value_cents', 'cents': cash, 'entries': cash_entries},
  {'figure': 'freed_capacity_cents', 'cents': freed, 'entries': freed_entries},
  {'figure': 'cost_cents', 'cents': capex + opex, 'entries': cost_entries},
  {'figure': 'net_value_cents', 'cents': cash - capex - opex, 'entries': net_entries},
  {'figure': 'capex_cents', 'cents': capex, 'entries': capex_entries},
  {'figure': 'opex_cents', 'cents': opex, 'entries': opex_entries},
  {'figure': 'vendor_price_effect_cents', 'cents': price_effect, 'entries': price_effect_entries}
], recursive := true)
from summed;

-- Each figure that differs, of every window that at least one side has. A missing window counts as zero.
create table moved_totals as
with figures as (
  select
    coalesce(earlier.scope, later.scope) as scope,
    coalesce(earlier.initiative_id, later.initiative_id) as initiative_id,
    coalesce(earlier.window_key, later.window_key) as window_key,
    unnest([
      {'ordinal': 1, 'figure': 'cash_value_cents', 'was': earlier.cash_value_cents, 'is_now': later.cash_value_cents},
      {'ordinal': 2, 'figure': 'freed_capacity_cents', 'was': earlier.freed_capacity_cents, 'is_now': later.freed_capacity_cents},
      {'ordinal': 3, 'figure': 'cost_cents', 'was': earlier.cost_cents, 'is_now': later.cost_cents},
      {'ordinal': 4, 'figure': 'net_value_cents', 'was': earlier.net_value_cents, 'is_now': later.net_value_cents},
      {'ordinal': 5, 'figure': 'capex_cents', 'was': earlier.capex_cents, 'is_now': later.capex_cents},
      {'ordinal': 6, 'figure': 'opex_cents', 'was': earlier.opex_cents, 'is_now': later.opex_cents},
      {'ordinal': 7, 'figure': 'planned_value_to_date_cents', 'was': earlier.planned_value_to_date_cents, 'is_now': later.planned_value_to_date_cents},
      {'ordinal': 8, 'figure': 'planned_capacity_to_date_cents', 'was': earlier.planned_capacity_to_date_cents, 'is_now': later.planned_capacity_to_date_cents},
      {'ordinal': 9, 'figure': 'planned_opex_to_date_cents', 'was': earlier.planned_opex_to_date_cents, 'is_now': later.planned_opex_to_date_cents},
      {'ordinal': 10, 'figure': 'planned_capex_cents', 'was': earlier.planned_capex_cents, 'is_now': later.planned_capex_cents},
      {'ordinal': 11, 'figure': 'vendor_price_effect_cents', 'was': earlier.vendor_price_effect_cents, 'is_now': later.vendor_price_effect_cents}
    ], recursive := true)
  from changed_reported_totals
)
select scope, initiative_id, window_key, ordinal, figure, coalesce(was, 0) as before_cents, coalesce(is_now, 0) as after_cents
from figures
where coalesce(was, 0) <> coalesce(is_now, 0);

create table explained_totals as
select
  m.*,
  list({'reason': getvariable('reasons')[e.reason], 'cents': e.cents, 'entries': e.entries} order by e.reason) as because,
  sum(e.cents)::bigint as explained_cents
from moved_totals m
left join (
  select * from explanations where cents <> 0
  union all
  -- No file says when plans were confirmed, due and converted. So one amount explains the change of all plans together.
  select initiative_id, window_key, place('plan_moved'), figure, after_cents - before_cents, 0
  from moved_totals where figure like 'planned%'
) e on e.figure = m.figure and e.window_key = m.window_key and e.initiative_id is not distinct from m.initiative_id
group by all;
