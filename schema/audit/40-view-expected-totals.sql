-- The expected rows of reported_totals, computed only from reported_value and costs.

-- The dollars that each entry adds. An entry without a dollar figure adds nothing, but its window exists.
create view audited_entries as
select
  initiative_id,
  utc_day(period_start) as day,
  if(entry_type = 'capacity', 0, coalesce(usd_amount_cents, 0)) as cash,
  if(entry_type = 'capacity', coalesce(usd_amount_cents, 0), 0) as capacity,
  if(entry_type = 'capacity_realized', coalesce(usd_amount_cents, 0), 0) as realized,
  0 as capex,
  0 as opex,
  case
    when usd_amount_cents is null then null
    when currency = 'USD' then vendor_price_effect_cents
    else dollars(vendor_price_effect_cents, usd_rate)
  end as price_effect
from reported_value
union all
select initiative_id, utc_day(period_start), 0, 0, 0,
  if(cost_category = 'capex', coalesce(usd_amount_cents, 0), 0),
  if(cost_category = 'opex', coalesce(usd_amount_cents, 0), 0),
  null
from costs;

-- Sums by initiative and month, with undated entries as one group. Freed capacity is floored at zero in each group, so that
-- late realisation does not reduce another month. The groups are then added to quarters, which are fewer and are enough for
-- all windows. Quarters have consecutive numbers; a multiple of 4 is the first quarter of a fiscal year.
create table audited_quarters as
select
  initiative_id,
  (year(month) * 12 + month(month) - 1 - (select fiscal_year_start_month - 1 from snapshot)) // 3 as quarter,
  min(first_day) as first_day,
  max(last_day) as last_day,
  sum(cash)::bigint as cash,
  sum(greatest(capacity - realized, 0))::bigint as freed,
  sum(capex)::bigint as capex,
  sum(opex)::bigint as opex,
  sum(price_effect)::bigint as price_effect
from (
  select initiative_id, date_trunc('month', day)::date as month, min(day) as first_day, max(day) as last_day,
    sum(cash)::bigint as cash, sum(capacity)::bigint as capacity, sum(realized)::bigint as realized,
    sum(capex)::bigint as capex, sum(opex)::bigint as opex, sum(price_effect)::bigint as price_effect
  from audited_entries
  group by all
)
group by initiative_id, quarter;

-- The portfolio and every initiative, with the first and last day on which one of its entries begins.
create view audited_scopes as
select initiative_id, min(first_day) as first_day, max(last_day) as last_day
from initiatives left join audited_quarters using (initiative_id)
group by initiative_id
union all
select null, min(first_day), max(last_day) from audited_quarters;

create table audited_windows as
with bounds as (
  select
    initiative_id,
    first_day,
    greatest(as_of, coalesce(last_day, as_of)) as last_day,
    as_of,
    fiscal_year_start_month - 1 as shift
  from audited_scopes cross join snapshot
), quarters as (
  select *, unnest(generate_series(
    (year(first_day) * 12 + month(first_day) - 1 - shift) // 3,
    (year(last_day) * 12 + month(last_day) - 1 - shift) // 3)) as quarter
  from bounds where first_day is not null
), fiscal as (
  select initiative_id, as_of, shift, 'fiscal_quarter' as window_kind, quarter as number, 3 as months, quarter // 4 as fiscal_year
  from quarters
  union all
  select distinct initiative_id, as_of, shift, 'fiscal_year', quarter // 4, 12, quarter // 4 from quarters
), dated as (
  select *,
    -- A fiscal year is named by the calendar year of its last month.
    (fiscal_year * 12 + shift + 11) // 12 as year_name,
    number % 4 + 1 as ordinal,
    number * months + shift as first_month,
    number * months + shift + months as next_month
  from fiscal
), named as (
  select initiative_id, as_of, window_kind, number,
    'fy' || year_name || if(window_kind = 'fiscal_quarter', '-q' || ordinal, '') as window_key,
    'FY' || year_name || if(window_kind = 'fiscal_quarter', ' Q' || ordinal, '') as window_label,
    make_date(first_month // 12, first_month % 12 + 1, 1) as from_date,
    make_date(next_month // 12, next_month % 12 + 1, 1) - 1 as through_date
  from dated
)
select initiative_id, window_kind, number, window_key, window_label, from_date, through_date, through_date < as_of as window_complete
from named
union all
select initiative_id, 'all_time', null, 'all', 'All time', null, last_day, false from bounds;

-- The sums of each window, one kind per statement: a single statement would hold all four kinds in memory at once.
create table audited_sums as
select initiative_id, 'fiscal_quarter' as window_kind, quarter as number, cash, freed, capex, opex, price_effect
from audited_quarters where quarter is not null;

insert into audited_sums
select initiative_id, 'fiscal_year', quarter // 4, sum(cash), sum(freed), sum(capex), sum(opex), sum(price_effect)
from audited_quarters where quarter is not null group by initiative_id, quarter // 4;

insert into audited_sums
select initiative_id, 'all_time', null, sum(cash), sum(freed), sum(capex), sum(opex), sum(price_effect)
from audited_quarters group by initiative_id;

-- A portfolio row sums the windows of all initiatives.
insert into audited_sums
select null, window_kind, number, sum(cash), sum(freed), sum(capex), sum(opex), sum(price_effect)
from audited_sums group by window_kind, number;

-- The expected figures of each window. Windows and figures are separate tables, because for a hundred thousand initiatives
-- only one step at a time fits into memory.
create table expected_totals as
select
  if(w.initiative_id is null, 'portfolio', 'initiative') as scope,
  w.initiative_id,
  w.window_kind,
  w.window_key,
  w.window_label,
  w.from_date,
  w.through_date,
  w.window_complete,
  coalesce(cash, 0)::bigint as cash_value_cents,
  coalesce(freed, 0)::bigint as freed_capacity_cents,
  coalesce(capex + opex, 0)::bigint as cost_cents,
  coalesce(cash - capex - opex, 0)::bigint as net_value_cents,
  if(cash > 0 and capex + opex > 0, (cash - capex - opex)::double / (capex + opex)::double, null) as roi,
  if(w.initiative_id is null, coalesce(capex, 0)::bigint, null) as capex_cents,
  if(w.initiative_id is null, coalesce(opex, 0)::bigint, null) as opex_cents,
  if(w.initiative_id is null, price_effect::bigint, null) as vendor_price_effect_cents
from audited_windows w
left join audited_sums s on s.initiative_id is not distinct from w.initiative_id
  and s.window_kind = w.window_kind and s.number is not distinct from w.number;
drop table audited_windows;
drop table audited_sums;

-- The eight figures of a window as one text, as 99-list-windows.sql lists them.
create macro said_figures(cash, freed, cost, net, roi, capex, opex, price_effect) as
  concat_ws(' ', cash, freed, cost, net, said(roi), said(capex), said(opex), said(price_effect));

-- The window of a finding.
create macro window_place(scope, initiative_id, window_key) as
  if(scope = 'initiative', 'initiative ' || said(initiative_id) || ' ', '') || window_key;

-- Expected and found figures: of every window of the portfolio, and of each window of an initiative that differs or that
-- only one side has. This is a table, not a view, because four scripts use it.
create table compared_totals as
select window_place(expected.scope, expected.initiative_id, expected.window_key) as place, expected, found
from expected_totals expected
left join reported_totals found
  on found.scope = expected.scope
  and coalesce(found.initiative_id, 0) = coalesce(expected.initiative_id, 0)
  and found.window_key = expected.window_key
where expected.scope = 'portfolio'
  or (expected.window_kind, expected.window_label, expected.from_date, expected.through_date, expected.window_complete,
      expected.cash_value_cents, expected.freed_capacity_cents, expected.cost_cents, expected.net_value_cents, expected.roi,
      expected.capex_cents, expected.opex_cents, expected.vendor_price_effect_cents)
    is distinct from (found.window_kind, found.window_label, found.from_date, found.through_date, found.window_complete,
      found.cash_value_cents, found.freed_capacity_cents, found.cost_cents, found.net_value_cents, found.roi,
      found.capex_cents, found.opex_cents, found.vendor_price_effect_cents);

-- A window that the entries do not require.
insert into compared_totals
select window_place(found.scope, found.initiative_id, found.window_key), expected, found
from reported_totals found
left join expected_totals expected
  on found.scope = expected.scope
  and coalesce(found.initiative_id, 0) = coalesce(expected.initiative_id, 0)
  and found.window_key = expected.window_key
where expected.window_key is null;
