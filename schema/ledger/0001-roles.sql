-- The roles of the product. A login that may create roles makes them once; running this file again is harmless. No role may
-- log in until the operator allows it (`alter role cf_reader login password …`). No role is a superuser or bypasses row
-- security.
--   cf_owner    owns every object; migrates, loads, converts
--   cf_reader   reads what may be served, one account at a time
--   cf_service  writes schema ops: limits, last use, queue, deliveries, links
--   cf_writer   for an application that keeps the ledger itself: writes one account at a time
--   cf_backup   reads every account, for pg_dump --enable-row-security
--   cf_stats    owns nothing since 0023; earlier files name it
do $$
declare
  wanted text;
  may_create constant boolean := (select rolcreaterole or rolsuper from pg_roles where rolname = current_user);
begin
  if current_setting('server_version_num')::integer < 160000 then
    raise exception 'PostgreSQL % is too old: the ledger needs PostgreSQL 16, 17 or 18', current_setting('server_version');
  end if;
  -- Two hosts may migrate at the same time, and roles belong to the whole cluster.
  perform pg_advisory_xact_lock(hashtext('crossfoot roles'));
  foreach wanted in array array['cf_owner', 'cf_reader', 'cf_service', 'cf_writer', 'cf_backup', 'cf_stats'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      if not may_create then
        raise exception '% may not create role %', quote_ident(current_user), wanted
          using errcode = 'insufficient_privilege',
            hint = format('Set OWNER_URL to a login that may create roles and owns the database; %I may not.', current_user);
      end if;
      execute format('create role %I nologin', wanted);
    end if;
  end loop;
  if not pg_has_role('cf_owner', 'cf_stats', 'usage') then
    grant cf_stats to cf_owner;
  end if;
  -- Only a superuser and the login that created a role may grant it.
  if not pg_has_role(current_user, 'cf_owner', 'set') then
    if not pg_has_role(current_user, 'cf_owner', 'member with admin option') then
      raise exception '% is no member of cf_owner', quote_ident(current_user)
        using errcode = 'insufficient_privilege',
          hint = format('Have the login that created cf_owner, or a superuser, run this once: grant cf_owner to %I;', current_user);
    end if;
    execute format('grant cf_owner to %I', current_user);
  end if;
  -- Only if it is missing: cf_owner may run this file again, and cannot grant a right that it was granted.
  if not has_database_privilege('cf_owner', current_database(), 'create') then
    execute format('grant create on database %I to cf_owner', current_database());
    -- PostgreSQL only warns if the login may not grant it.
    if not has_database_privilege('cf_owner', current_database(), 'create') then
      raise exception 'cf_owner may not create schemas in database %', quote_ident(current_database())
        using errcode = 'insufficient_privilege',
          hint = format('Have the owner of the database run this once: grant create on database %I to cf_owner;', current_database());
    end if;
  end if;
end $$;
