-- Amounts without a dollar figure, and provisional costs, are sums of their entries, of each initiative and of the portfolio.
set variable reads = ['sums/month_sums_unsettled', 'costs', 'reported_value'];
create or replace temp view expected_unsettled as
select initiative_id, month, from_day, through_day, kind, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries
from unsettled_entries left join segments using (day)
group by grouping sets (
  (initiative_id, month, from_day, through_day, kind, currency), (month, from_day, through_day, kind, currency)
);
create or replace temp table differing as
select stretch
from (
  select coalesce(initiative_id // 64, -1) as stretch, true as is_found,
    hash((initiative_id, month, from_day, through_day, kind, currency, amount_cents, entries::bigint)) as digest
  from month_sums_unsettled
  union all
  select coalesce(initiative_id // 64, -1), false,
    hash((initiative_id, month, from_day, through_day, kind, currency, amount_cents, entries))
  from expected_unsettled
)
group by stretch
having count(*) filter (where is_found) <> count(*) filter (where not is_found)
  or sum(digest) filter (where is_found) is distinct from sum(digest) filter (where not is_found)
order by stretch limit 3;
select 'month_sums_unsettled' as subject,
  concat_ws(' ', 'initiative', said(coalesce(e.initiative_id, f.initiative_id)), said(coalesce(e.from_day, f.from_day)),
    coalesce(e.kind, f.kind), coalesce(e.currency, f.currency)) as place,
  'the row' as figure, concat_ws(' ', said(e.amount_cents), said(e.entries), said(e.through_day)) as expected,
  concat_ws(' ', said(f.amount_cents), said(f.entries), said(f.through_day)) as found,
  'the entries of the segment add up to it' as rule
from (from expected_unsettled where coalesce(initiative_id // 64, -1) in (from differing)) e
full join (from month_sums_unsettled where coalesce(initiative_id // 64, -1) in (from differing)) f
  on f.initiative_id is not distinct from e.initiative_id and f.from_day is not distinct from e.from_day
    and f.kind = e.kind and f.currency = e.currency
where (e.amount_cents, e.entries, e.through_day, e.month) is distinct from (f.amount_cents, f.entries::bigint, f.through_day, f.month)
order by all;
