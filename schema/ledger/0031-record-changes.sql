-- `npm start` builds no snapshot of a ledger that has not changed since the published snapshot. Cached figures depend on few
-- tables, but a snapshot shows rows of more. The changes of the others are noted beside those of `ops.account_changes`: a
-- change of a person or of a document leaves cached figures valid.
create table ops.record_changes (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, xid)
);
create index record_changes_at on ops.record_changes (at);
grant select, insert, update, delete on ops.record_changes to cf_service;
grant select on ops.record_changes to cf_backup;

create function service.note_record() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.record_changes (account_id)
    select distinct c.account_id from changed c where exists (select from ledger.accounts a where a.id = c.account_id)
    on conflict do nothing;
  return null;
end $$;

create function service.note_record_of_all() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.record_changes (account_id) select id from ledger.accounts on conflict do nothing;
  return null;
end $$;

do $$
declare
  target text;
begin
  foreach target in array array[
    'accounting_months', 'ai_spend_links', 'approval_decisions', 'bill_shares', 'books_accounts', 'card_charges',
    'connection_primary_categories', 'connections', 'document_citations', 'documents', 'formula_versions', 'formulas',
    'memberships', 'metrics', 'observations', 'portfolio_decisions', 'provider_bills', 'time_studies', 'vendor_bills',
    'vendors'
  ] loop
    execute format('create trigger note_insert after insert on ledger.%I referencing new table as changed
      for each statement execute function service.note_record()', target);
    execute format('create trigger note_update after update on ledger.%I referencing new table as changed
      for each statement execute function service.note_record()', target);
    execute format('create trigger note_delete after delete on ledger.%I referencing old table as changed
      for each statement execute function service.note_record()', target);
    execute format('create trigger note_truncate after truncate on ledger.%I
      for each statement execute function service.note_record_of_all()', target);
  end loop;
end $$;
create trigger note_truncate after truncate on ledger.initiatives
  for each statement execute function service.note_change_of_all();

-- The settings of an account, such as its fiscal year and whether it has companion tables. A new account has no snapshot.
create function service.note_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.record_changes (account_id) select id from changed on conflict do nothing;
  return null;
end $$;
create trigger note_update after update on ledger.accounts referencing new table as changed
  for each statement execute function service.note_account();

-- Rows that all accounts share. Every start loads the platforms again, and the rates every night, mostly without a change.
create function service.note_shared_record() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.record_changes (account_id)
    select id from ledger.accounts where exists (select from changed) on conflict do nothing;
  return null;
end $$;
create function service.note_shared_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id)
    select id from ledger.accounts where exists (select from changed) on conflict do nothing;
  return null;
end $$;

drop trigger note_change on ledger.euro_reference_rates;
do $$
declare
  target text;
  called text;
begin
  for target, called in
    values ('euro_reference_rates', 'change'), ('platforms', 'record'), ('platform_metric_categories', 'record')
  loop
    execute format('create trigger note_insert after insert on ledger.%I referencing new table as changed
      for each statement execute function service.note_shared_%s()', target, called);
    execute format('create trigger note_update after update on ledger.%I referencing new table as changed
      for each statement execute function service.note_shared_%s()', target, called);
    execute format('create trigger note_delete after delete on ledger.%I referencing old table as changed
      for each statement execute function service.note_shared_%s()', target, called);
    execute format('create trigger note_truncate after truncate on ledger.%I
      for each statement execute function service.note_%s_of_all()', target, called);
  end loop;
end $$;

revoke execute on function service.note_record(), service.note_record_of_all(), service.note_account(),
  service.note_shared_record(), service.note_shared_change() from public;
