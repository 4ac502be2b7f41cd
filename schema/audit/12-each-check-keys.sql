-- The keys of a file rise from row to row, so no key occurs twice. An empty part of a key sorts before every value. Each row
-- is compared only with the row before it, because a sort of the largest file would not fit into memory.
select ':table' as subject, 'row ' || (file_row_number + 1) as place, 'key' as figure,
  'one after the key of the row before' as expected, :said_key as found, 'rows are in the order of their keys' as rule
from (
  select file_row_number, :key, :order <= lag(:order) over () as late
  from read_parquet(':table.parquet', file_row_number = true)
)
where late
