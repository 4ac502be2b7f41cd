-- The number of rows in the footer of each file.
select 'companions/' || name as place, num_rows::varchar as found, null::varchar as expected
from companion_files
order by place;
