-- How many rows each file says it has.
select parse_filename(file_name, true) as place, num_rows::varchar as found, null::varchar as expected
from parquet_file_metadata('*.parquet')
order by place;
