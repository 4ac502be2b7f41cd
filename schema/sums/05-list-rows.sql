-- The number of rows in the footer of each file.
select 'sums/' || parse_filename(file_name, true) as place, num_rows::varchar as found, null::varchar as expected
from parquet_file_metadata('sums/*.parquet')
order by place;
