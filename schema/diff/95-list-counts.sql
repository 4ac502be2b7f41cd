-- How many rows of each table changed in which way.
select "table" as table_name, change, count(*)::varchar as rows from changes group by all;
