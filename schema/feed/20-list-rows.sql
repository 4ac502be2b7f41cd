-- The number of rows of the file that 10-each-write-feed.sql wrote. A changed row has two rows in it, before and after.
select count(*)::varchar as rows from read_parquet('feed.parquet');
