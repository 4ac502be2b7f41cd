-- The rows of the portfolio are the sums of those of the initiatives, apart by whether more was freed than realised. A month that
-- is cut has rows of the whole month, too.
set variable reads = ['sums/month_sums'];
with own as (
  from month_sums where initiative_id is not null
), whole as (
  select month, month as from_day, last_day(month) as through_day, sum(capacity_cents) > sum(capacity_realized_cents) as frees,
    added(latest_day) as amounts
  from own
  where month in (select month from own where from_day > month or through_day < last_day(month))
  group by initiative_id, month
), expected as (
  select month, from_day, through_day, frees, added(latest_day) as amounts
  from own group by month, from_day, through_day, frees
  union all
  select month, from_day, through_day, frees, added(latest_day)
  from (select * exclude (amounts), unnest(amounts) from whole)
  group by month, from_day, through_day, frees
), found as (
  from found_sums where initiative_id is null
)
select 'month_sums' as subject,
  'portfolio ' || concat_ws(' ', said(coalesce(e.from_day, f.from_day)), said(coalesce(e.through_day, f.through_day))) as place,
  'the row' as figure, said(e.amounts) as expected, said(f.amounts) as found, 'the initiatives add up to it' as rule
from expected e full join found f
  on f.from_day is not distinct from e.from_day and f.through_day is not distinct from e.through_day and f.frees = e.frees
where (e.amounts, e.month) is distinct from (f.amounts, f.month)
order by all;
