-- The write horizon reads pg_locks once. It read it twice, and each list of the read API waits for it.
create or replace function service.write_horizon() returns timestamptz
language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
declare
  before_looking timestamptz := clock_timestamp();
begin
  return least(
    before_looking,
    (select min(case objsubid
        when 1 then timestamptz 'epoch' + ((classid::bigint << 32) + objid::bigint - 5000000000000000000) * interval '1 microsecond'
        else to_timestamp(objid::bigint * 60) end)
      from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and (objsubid = 1 and pid is distinct from pg_backend_pid() -- null: prepared
            and (classid::bigint << 32) + objid::bigint between 5000000000000000000 and 5007258118400000000 -- 1970 to 2199
          -- Transactions that began before 0023-write-horizon.sql was applied lock the minute in which they began.
          or objsubid = 2 and classid = 1129467731))
  );
end $$;
