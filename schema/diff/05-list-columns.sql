-- The columns that both files of a table have. A column that was added later is missing in an older snapshot, so it is not
-- compared.
select parse_filename(file_name, true) as table_name, name as column_name
from parquet_schema('earlier/*.parquet')
intersect
select parse_filename(file_name, true), name from parquet_schema('later/*.parquet');
