-- Each initiative has a row for each segment in which one of its entries begins, with what these entries add up to. First, digests
-- of stretches of initiatives are compared. Then rows are compared in the first three stretches that differ, because a join of
-- all rows would not fit into memory.
set variable reads = ['sums/month_sums', 'costs', 'reported_value'];
create or replace temp view expected_sums as
select initiative_id, month, from_day, through_day, amounts.capacity_cents > amounts.capacity_realized_cents as frees, amounts
from (
  select initiative_id, month, from_day, through_day, added(late_day) as amounts
  from entries left join segments using (day)
  group by initiative_id, month, from_day, through_day
);
create or replace temp table differing as
select stretch
from (
  select initiative_id // 64 as stretch, true as is_found, hash((initiative_id, month, from_day, through_day, frees, amounts)) as digest
  from found_sums where initiative_id is not null
  union all
  select initiative_id // 64, false, hash((initiative_id, month, from_day, through_day, frees, amounts)) from expected_sums
)
group by stretch
having count(*) filter (where is_found) <> count(*) filter (where not is_found)
  or sum(digest) filter (where is_found) is distinct from sum(digest) filter (where not is_found)
order by stretch limit 3;
select 'month_sums' as subject,
  'initiative ' || coalesce(e.initiative_id, f.initiative_id) || ' ' || said(coalesce(e.from_day, f.from_day)) as place,
  'the row' as figure,
  if(e.amounts is null, 'none', concat_ws(' ', said(e.through_day), e.frees, e.amounts)) as expected,
  if(f.amounts is null, 'none', concat_ws(' ', said(f.through_day), f.frees, f.amounts)) as found,
  'the entries of the segment add up to it' as rule
from (from expected_sums where initiative_id // 64 in (from differing)) e
full join (from found_sums where initiative_id // 64 in (from differing)) f
  on f.initiative_id = e.initiative_id and f.from_day is not distinct from e.from_day
where (e.amounts, e.frees, e.through_day, e.month) is distinct from (f.amounts, f.frees, f.through_day, f.month)
order by all;
