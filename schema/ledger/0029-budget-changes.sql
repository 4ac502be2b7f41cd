-- Budget comparisons are cached, too. Besides entries and initiatives they depend on budget versions, on the names of the
-- people who set them, and on reference rates.
create trigger note_insert after insert on ledger.budget_versions referencing new table as changed
  for each statement execute function service.note_change();
create trigger note_update after update on ledger.budget_versions referencing new table as changed
  for each statement execute function service.note_change();
create trigger note_delete after delete on ledger.budget_versions referencing old table as changed
  for each statement execute function service.note_change();
create trigger note_truncate after truncate on ledger.budget_versions
  for each statement execute function service.note_change_of_all();

-- A rate has no account: it is a change of every account.
create trigger note_change after insert or update or delete or truncate on ledger.euro_reference_rates
  for each statement execute function service.note_change_of_all();

-- A person who gets another name changes every account of that person.
create function service.note_person() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into ops.account_changes (account_id)
    select distinct m.account_id from changed c join ledger.memberships m on m.user_id = c.id
    on conflict do nothing;
  return null;
end $$;
revoke execute on function service.note_person() from public;
create trigger note_person after update on ledger.users referencing new table as changed
  for each statement execute function service.note_person();
