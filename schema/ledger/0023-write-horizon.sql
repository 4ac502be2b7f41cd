-- The write horizon without rights on the sessions of other roles. pg_stat_activity shows them only to a member of
-- pg_read_all_stats, which a login without superuser cannot grant. pg_locks shows the locks of all sessions to everybody.

-- Stamps a written row. It takes a lock first and reads the clock second, so the horizon below sees the lock of every stamp
-- that is older than the horizon. The key of the lock is the microsecond in which the transaction began, counted from 1970
-- and added to 5 × 10^18: no other program locks keys of that range. A prepared transaction keeps its locks.
create or replace function service.stamp() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(5000000000000000000 + (extract(epoch from transaction_timestamp()) * 1000000)::bigint);
  new.updated_at := clock_timestamp();
  return new;
end $$;

-- The moment before which no running writer can still stamp a row. The clock is read before the locks: a writer that takes
-- its lock afterwards stamps later.
create or replace function service.write_horizon() returns timestamptz
language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
declare
  before_looking timestamptz := clock_timestamp();
begin
  return least(
    before_looking,
    (select timestamptz 'epoch' + min((classid::bigint << 32) + objid::bigint - 5000000000000000000) * interval '1 microsecond'
      from pg_locks
      where locktype = 'advisory' and objsubid = 1 and pid is distinct from pg_backend_pid() -- null: prepared
        and (classid::bigint << 32) + objid::bigint between 5000000000000000000 and 5007258118400000000 -- 1970 to 2199
        and database = (select oid from pg_database where datname = current_database())),
    -- Transactions that began before this file was applied lock the minute in which they began.
    (select to_timestamp(min(objid::bigint) * 60) from pg_locks
      where locktype = 'advisory' and classid = 1129467731 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database()))
  );
end $$;
alter function service.write_horizon() owner to cf_owner;
revoke all on schema service from cf_stats;
