-- A session that row security restricts names its account before it writes. Without the account an insert would be refused
-- in words about policies, and an update or delete would find no row and say nothing.

create function service.require_account() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if row_security_active(tg_relid) and service.current_account() is null then
    raise exception 'this transaction names no account, so it may not write %', tg_table_name
      using errcode = 'insufficient_privilege',
        hint = 'Begin a transaction, and name the account: set local app.account_id = ''1''. It holds until the commit.';
  end if;
  return null;
end $$;
revoke execute on function service.require_account() from public;

-- Once per statement, so a load of many rows pays once. The name makes it fire before the others. A person may be added
-- without an account, and is then made a member of one.
do $$
declare
  target record;
begin
  for target in
    select p.polrelid::regclass as relation
    from pg_policy p
    where p.polname = 'own_account' and p.polrelid not in ('ledger.users'::regclass, 'vault.user_emails'::regclass)
  loop
    execute format('create trigger aa_require_account before insert or update or delete on %s
      for each statement execute function service.require_account()', target.relation);
  end loop;
end $$;
