-- The dollars of the charges add up to the cost of every window of `reported_totals`. Windows begin and end with a month. A
-- cost without a period counts only in the window of all time.
set variable reads = ['focus/focus', 'reported_totals'];
create or replace temp table focus_months as
select x_InitiativeId as initiative_id, if(x_Undated, null, utc_day(BillingPeriodStart)) as month,
  -- Halves round away from zero. A rate has ten decimals.
  sum(round((BilledCost * 100)::decimal(17, 0) * x_UsdRate::decimal(20, 10))::bigint)::bigint as cents
from focus where x_UsdRate is not null
group by all;
-- Each window is joined with all months of its initiative, and sums the months within it. A join by the range of months took
-- 45 times as long.
with charged as (
  select r.scope, r.initiative_id, r.window_key, r.cost_cents,
    coalesce(sum(f.cents) filter (where r.from_date is null or f.month between r.from_date and r.through_date), 0) as cents
  from reported_totals r
  left join (
    from focus_months
    union all
    select null, month, sum(cents)::bigint from focus_months group by month
  ) f on coalesce(f.initiative_id, 0) = coalesce(r.initiative_id, 0)
  group by all
)
select 'focus' as subject, concat_ws(' ', scope, initiative_id, window_key) as place, 'dollars' as figure,
  cost_cents::varchar as expected, cents::varchar as found, 'reported_totals has the same cost' as rule
from charged
where cents <> cost_cents
order by all;
