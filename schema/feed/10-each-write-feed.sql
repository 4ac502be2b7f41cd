-- Writes the changed rows of one table to a Parquet file, sorted by key. A changed row is written twice: as it was before and
-- as it is after. Each row has all columns and the id of the snapshot that contains it. `_change_type` has the words of the
-- Delta Sharing protocol.
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
