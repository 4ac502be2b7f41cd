-- A companion and its reporting table have the same rows, and the columns that both have are equal. Of api_value_entries,
-- only approved entries are compared. Rows are compared one by one only in the stretches of ids whose digests differ: a join
-- of all rows would not fit into memory.
create or replace temp table differing as
with digests as (
:each
  select ':name' as list, true as is_own, id // 8192 as stretch, hash(:own_cells) as digest from :name where :own_rows
  union all
  select ':name', false, :its_id // 8192, hash(:its_cells) from :its_table
:end
)
select list, stretch
from digests
group by list, stretch
having count(*) filter (where is_own) <> count(*) filter (where not is_own)
  or sum(digest) filter (where is_own) is distinct from sum(digest) filter (where not is_own)
order by list, stretch limit 10;
with pairs as (
:each
  select ':name' as list, a.id, b.id as other, a.cells::varchar as own, b.cells::varchar as its
  from (
    select id, :own_cells as cells from :name
    where :own_rows and id // 8192 in (select stretch from differing where list = ':name')) a
  full join (
    select :its_id as id, :its_cells as cells from :its_table
    where :its_id // 8192 in (select stretch from differing where list = ':name')) b on b.id = a.id
:end
)
select list as subject, 'id ' || coalesce(id, other) as place, 'fields' as figure, its as expected, own as found,
  'the reporting table has the same row' as rule
from pairs
where id is null or other is null or own is distinct from its
order by all;
