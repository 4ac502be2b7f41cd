-- A key names one row, and rows stand in the order of their keys; an empty part of a key is one value like any other.
-- Files are compared row by row as they are read: a sort of the longest would not fit into memory.
select ':table' as subject, 'row ' || (file_row_number + 1) as place, 'key' as figure,
  'one after the key of the row before' as expected, :said_key as found, 'rows stand in the order of their keys' as rule
from (
  select file_row_number, :key, :order <= lag(:order) over () as late
  from read_parquet(':table.parquet', file_row_number = true)
)
where late
