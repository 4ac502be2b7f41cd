-- The rights of each role. A reader or writer sees only the account of its transaction, whatever its query says. Row security
-- does not apply to the owner (FORCE would break COPY FROM and pg_dump), so the owner never serves.
--
-- The files after this one grant the rights on their own tables.

grant usage on schema ledger, service to cf_reader, cf_writer, cf_backup;
grant usage on schema vault to cf_writer, cf_backup;
grant usage on schema ops to cf_service, cf_backup;
grant select, insert, update, delete on all tables in schema ops to cf_service;
grant select on all tables in schema ledger to cf_reader;
grant select, insert, update, delete on all tables in schema ledger to cf_writer;
grant select on all tables in schema ledger, vault, ops to cf_backup;
grant select on all sequences in schema ledger, vault, ops to cf_backup;
-- A backup contains the list of applied files; otherwise the next migration would apply them again to the restored database.
-- `migrate` makes the list before these files run; without it the schema is not there.
do $$
begin
  if to_regnamespace('migration') is not null then
    grant usage on schema migration to cf_backup;
    grant select on all tables in schema migration to cf_backup;
  end if;
end $$;
grant usage on all sequences in schema ledger to cf_writer;

-- Only triggers change the gate rows.
revoke insert, update, delete on ledger.account_gates from cf_writer;
-- No writer changes what all accounts share.
revoke insert, update, delete on ledger.euro_reference_rates, ledger.platforms, ledger.platform_metric_categories,
  ledger.platform_guides, ledger.help_articles, ledger.application_pages, ledger.initiative_templates,
  ledger.system_assumptions from cf_writer;
revoke insert, delete on ledger.accounts from cf_writer;
revoke delete on ledger.users from cf_writer;

-- The application stores credentials and addresses and issues tokens. It never reads a token's digest.
grant select, insert, update, delete on vault.user_emails, vault.connection_secrets, vault.document_contents to cf_writer;
grant insert on vault.access_tokens to cf_writer;
grant select (account_id, id, kind, name, prefix, last_four, issued_by_id, expires_at, revoked_at, revoked_by_id, created_at),
  update (name, expires_at, revoked_at, revoked_by_id) on vault.access_tokens to cf_writer;
grant usage on all sequences in schema vault to cf_writer;

do $$
declare
  target record;
begin
  for target in
    select c.oid::regclass as relation, c.relnamespace = 'ledger'::regnamespace as readable
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace in ('ledger'::regnamespace, 'vault'::regnamespace) and c.relkind = 'r'
  loop
    execute format('alter table %s enable row level security', target.relation);
    if target.readable then
      execute format(
        'create policy one_account on %s for select to cf_reader
          using (account_id = nullif(current_setting(''app.account_id'', true), '''')::bigint)', target.relation);
    end if;
    execute format(
      'create policy own_account on %s to cf_writer
        using (account_id = nullif(current_setting(''app.account_id'', true), '''')::bigint)', target.relation);
    execute format('create policy every_account on %s for select to cf_backup using (true)', target.relation);
  end loop;
end $$;

alter table ledger.accounts enable row level security;
create policy one_account on ledger.accounts for select to cf_reader
  using (id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy own_account on ledger.accounts to cf_writer
  using (id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy every_account on ledger.accounts for select to cf_backup using (true);

-- A person is visible through a membership, also a past one, so that their records keep a name. Every writer may add a
-- person, and may change only people of its account.
alter table ledger.users enable row level security;
create policy one_account on ledger.users for select to cf_reader
  using (id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint));
create policy own_account on ledger.users to cf_writer
  using (id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint))
  with check (true);
create policy every_account on ledger.users for select to cf_backup using (true);

alter table vault.user_emails enable row level security;
create policy own_account on vault.user_emails to cf_writer
  using (user_id in (select m.user_id from ledger.memberships m
    where m.account_id = nullif(current_setting('app.account_id', true), '')::bigint));
create policy every_account on vault.user_emails for select to cf_backup using (true);

-- Functions: none by default, then those that each role calls. A role that writes a row computes its search keys.
revoke execute on all functions in schema service from public;
grant execute on function
  service.current_account(), service.app_url(text), service.write_horizon(), service.canonical_json(jsonb), service.sha256_hex(text),
  service.utc_day(text), service.fold(text), service.words(text), service.name_key(text), service.search_key(text),
  service.month_of(date), service.input_observations(text),
  service.input_baseline_methods(text), service.input_measured_on(text), service.inputs_well_formed(text),
  service.periods_in_horizon(text, integer),
  service.published_crosses(text, date, date), service.cost_ends_on(date, date, date), service.cost_rate(text, date, date, date, date)
  to cf_reader, cf_writer, cf_backup;
grant execute on function service.authenticate(bytea), service.reporting_accounts(), service.search(text, text[], integer)
  to cf_reader;
grant execute on function service.rate_dates(jsonb) to cf_writer;
