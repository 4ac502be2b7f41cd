-- The changed rows of one table as a Parquet file, sorted by key: an added row, a removed row, and a changed row before and
-- after. Each row is whole and names the snapshot that has it; `_change_type` is in the words of the sharing protocol.
copy (
  with sides as (
    select
      :order as ordering,
      0 as place,
      ':earlier_id' as snapshot_id,
      if(change = 'removed', 'delete', 'update_preimage') as change_type,
      earlier as cells
    from changed_:table
    where change <> 'added'
    union all
    select
      :order,
      1,
      ':later_id',
      if(change = 'added', 'insert', 'update_postimage'),
      later
    from changed_:table
    where change <> 'removed'
  )
  select snapshot_id, cells.* exclude (present), change_type as _change_type
  from sides
  order by ordering, place
) to 'feed.parquet' (format parquet, compression zstd);
