-- The columns that both files of a table have: a snapshot built before a column was added has nothing to compare with it.
select parse_filename(file_name, true) as table_name, name as column_name
from parquet_schema('earlier/*.parquet')
intersect
select parse_filename(file_name, true), name from parquet_schema('later/*.parquet');
