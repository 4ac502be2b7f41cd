-- The number of rows in the footer of the file.
select 'focus/focus' as place, num_rows::varchar as found, null::varchar as expected
from parquet_file_metadata('focus/focus.parquet');
