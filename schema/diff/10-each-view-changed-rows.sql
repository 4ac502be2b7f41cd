-- The rows of one table that only one snapshot has, or that differ. `columns_changed` has the name of each column that
-- differs, and null for each column that does not. Run once for every table that both snapshots have, over the columns that
-- both files have.
create table changed_:table as
select
  case when earlier.present is null then 'added' when later.present is null then 'removed' else 'changed' end as change,
  earlier,
  later,
  [:differing] as columns_changed
from (select :columns, true as present from read_parquet('earlier/:table.parquet')) as earlier
full join (select :columns, true as present from read_parquet('later/:table.parquet')) as later on :same_key
where earlier is distinct from later;
