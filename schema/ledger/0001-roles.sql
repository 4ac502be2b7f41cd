-- The roles of the product. An administrator makes them once; running this file again is harmless. No role may log in
-- until the operator allows it (`alter role cf_reader login password …`). No role is a superuser or bypasses row security.
--   cf_owner    owns every object; migrates, loads, converts
--   cf_reader   reads what may be served, one account at a time
--   cf_service  writes schema ops: limits, last use, queue, deliveries, links
--   cf_writer   for an application that keeps the ledger itself: writes one account at a time
--   cf_backup   reads every account, for pg_dump --enable-row-security
--   cf_stats    owns the one function that reads other sessions' transactions
do $$
declare
  wanted text;
begin
  if current_setting('server_version_num')::integer < 160000 then
    raise exception 'PostgreSQL % is too old: the ledger needs PostgreSQL 16, 17 or 18', current_setting('server_version');
  end if;
  -- Two hosts may migrate at the same time, and roles belong to the whole cluster.
  perform pg_advisory_xact_lock(hashtext('crossfoot roles'));
  foreach wanted in array array['cf_owner', 'cf_reader', 'cf_service', 'cf_writer', 'cf_backup', 'cf_stats'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
  end loop;
  if not pg_has_role('cf_stats', 'pg_read_all_stats', 'usage') then
    grant pg_read_all_stats to cf_stats;
  end if;
  if not pg_has_role('cf_owner', 'cf_stats', 'usage') then
    grant cf_stats to cf_owner;
  end if;
  if not pg_has_role(current_user, 'cf_owner', 'set') then
    execute format('grant cf_owner to %I', current_user);
  end if;
  -- Only if it is missing: cf_owner may run this file again, and cannot grant a right that it was granted.
  if not has_database_privilege('cf_owner', current_database(), 'create') then
    execute format('grant create on database %I to cf_owner', current_database());
  end if;
end $$;
