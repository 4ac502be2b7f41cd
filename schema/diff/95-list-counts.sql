-- The number of added, removed and changed rows of each table.
select "table" as table_name, change, count(*)::varchar as rows from changes group by all;
