-- The number of rows of the file that 10-each-write-feed.sql wrote; a changed row counts twice, before and after.
select count(*)::varchar as rows from read_parquet('feed.parquet');
