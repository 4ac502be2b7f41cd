-- How many rows the file has.
select count(*)::varchar as rows from read_parquet('feed.parquet');
