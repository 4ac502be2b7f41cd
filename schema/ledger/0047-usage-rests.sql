-- What /ai_usage serves besides the rows of usage is stored, because a page of a list cannot work it out from all usage of the
-- account: the cost of a bill that no row of usage has, and which quantities of files the bill counts itself.
create table ledger.usage_rests (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  -- -2 times the id of the bill for its AI part, and one less for the other part: no row of usage has such an id.
  id bigint not null check (id < 0),
  bill_id bigint not null,
  is_ai boolean not null,
  cost_cents ledger.cents not null check (cost_cents <> 0),
  created_at ledger.instant not null default clock_timestamp(),
  updated_at ledger.instant not null default clock_timestamp(),
  primary key (account_id, id),
  check (id = -2 * bill_id - case when is_ai then 0 else 1 end),
  foreign key (account_id, bill_id) references ledger.provider_bills (account_id, id) on delete cascade deferrable
);
create index usage_rests_bill on ledger.usage_rests (account_id, bill_id);
create index usage_rests_changes on ledger.usage_rests (account_id, updated_at, id);
comment on column ledger.usage_rests.account_id is 'The account that the row belongs to';
comment on column ledger.usage_rests.id is 'Minus twice the id of the bill, and one less for what is no AI spend';
comment on column ledger.usage_rests.bill_id is 'The bill whose cost it is';
comment on column ledger.usage_rests.is_ai is 'Whether the cost is AI spend';
comment on column ledger.usage_rests.cost_cents is 'The cost in cents that no row of usage has';
comment on column ledger.usage_rests.created_at is 'When the row was first written';
comment on column ledger.usage_rests.updated_at is 'When the row last changed; stamped by the ledger';

alter table ledger.usage add column superseded boolean not null default false;
comment on column ledger.usage.superseded is
  'Whether the bill itself counts the unit on that day, so that this quantity of a file is not served; stamped by the ledger';

-- The rests of the bills, and what their quantities supersede. Nothing is written that stays as it is.
create function service.settle_usage_of(accounts bigint[], bills bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two transactions that change the use of one bill wait for each other; each would leave the other's rows out.
  perform from ledger.provider_bills b
    where (b.account_id, b.id) in (select * from unnest(accounts, bills)) order by b.account_id, b.id for no key update;
  update ledger.usage u
    set superseded = not u.superseded
    from unnest(accounts, bills) as n (account_id, bill_id)
    where u.account_id = n.account_id and u.bill_id = n.bill_id and u.load_ref is not null
      and u.superseded <> exists (
        select from ledger.usage own
        where own.account_id = u.account_id and own.bill_id = u.bill_id and own.used_on = u.used_on
          and own.unit = u.unit and own.load_ref is null);
  with parts as materialized (
    select bill.account_id, bill.id as bill_id, part.is_ai, part.cents
    from unnest(accounts, bills) as n (account_id, bill_id)
    join ledger.provider_bills bill on bill.account_id = n.account_id and bill.id = n.bill_id
    join ledger.accounts a on a.id = bill.account_id -- the rows of an account go with it
    cross join lateral (
      select sum(coalesce(u.cost_cents, 0)) as cents
      from ledger.usage u
      where u.account_id = bill.account_id and u.bill_id = bill.id and u.load_ref is null) as used
    cross join lateral (values
      (true, case when used.cents is null then bill.ai_amount_cents else 0 end),
      (false, bill.amount_cents - coalesce(used.cents, bill.ai_amount_cents))) as part (is_ai, cents)
  ), gone as (
    delete from ledger.usage_rests r using parts p
      where r.account_id = p.account_id and r.bill_id = p.bill_id and r.is_ai = p.is_ai and p.cents = 0
  )
  insert into ledger.usage_rests as r (account_id, id, bill_id, is_ai, cost_cents)
    select account_id, -2 * bill_id - case when is_ai then 0 else 1 end, bill_id, is_ai, cents from parts where cents <> 0
    on conflict (account_id, id) do update set cost_cents = excluded.cost_cents where r.cost_cents <> excluded.cost_cents;
end $$;

create function service.settle_usage() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- The function changes usage itself, and a statement that changes no row ends there.
  if exists (select from changed) then
    perform service.settle_usage_of(array_agg(account_id), array_agg(bill_id))
      from (select distinct account_id, bill_id from changed) as bills;
  end if;
  return null;
end $$;

create function service.settle_bills() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from changed) then
    perform service.settle_usage_of(array_agg(account_id), array_agg(id)) from changed;
  end if;
  return null;
end $$;

create function service.settle_all_usage() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform service.settle_usage_of(array_agg(account_id), array_agg(id)) from ledger.provider_bills;
  return null;
end $$;

-- What there is. A rest keeps the times of its bill, by which it was served so far, so this stands before the triggers.
do $$
begin
  perform service.settle_usage_of(array_agg(account_id), array_agg(id)) from ledger.provider_bills;
  update ledger.usage_rests r set created_at = b.created_at, updated_at = b.updated_at
    from ledger.provider_bills b where b.account_id = r.account_id and b.id = r.bill_id;
end $$;

create trigger aa_require_account before insert or update or delete on ledger.usage_rests
  for each statement execute function service.require_account();
create trigger zz_stamp before insert or update on ledger.usage_rests for each row execute function service.stamp();
create trigger keep_key before update of account_id, id on ledger.usage_rests for each row
  when (new.account_id <> old.account_id or new.id <> old.id) execute function service.refuse_change();
create trigger settle_insert after insert on ledger.usage referencing new table as changed
  for each statement execute function service.settle_usage();
create trigger settle_update after update on ledger.usage referencing new table as changed
  for each statement execute function service.settle_usage();
-- A row may move from one bill to another.
create trigger settle_update_of_old after update on ledger.usage referencing old table as changed
  for each statement execute function service.settle_usage();
create trigger settle_delete after delete on ledger.usage referencing old table as changed
  for each statement execute function service.settle_usage();
create trigger settle_truncate after truncate on ledger.usage for each statement execute function service.settle_all_usage();
create trigger settle_insert after insert on ledger.provider_bills referencing new table as changed
  for each statement execute function service.settle_bills();
create trigger settle_update after update on ledger.provider_bills referencing new table as changed
  for each statement execute function service.settle_bills();

-- Pages are read by these. Rows that are not served are in neither.
drop index ledger.usage_changes;
create index usage_changes on ledger.usage (account_id, updated_at, id) where not superseded;
create index usage_initiative_changes on ledger.usage (account_id, initiative_id, updated_at, id)
  where initiative_id is not null and not superseded;

revoke execute on function service.settle_usage_of(bigint[], bigint[]), service.settle_usage(), service.settle_bills(),
  service.settle_all_usage() from public;
grant select on ledger.usage_rests to cf_reader, cf_writer, cf_backup;
alter table ledger.usage_rests enable row level security;
create policy one_account on ledger.usage_rests for select to cf_reader
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy own_account on ledger.usage_rests to cf_writer
  using (account_id = nullif(current_setting('app.account_id', true), '')::bigint);
create policy every_account on ledger.usage_rests for select to cf_backup using (true);

create trigger note_insert after insert on ledger.usage_rests referencing new table as changed
  for each statement execute function service.note_record();
create trigger note_update after update on ledger.usage_rests referencing new table as changed
  for each statement execute function service.note_record();
create trigger note_delete after delete on ledger.usage_rests referencing old table as changed
  for each statement execute function service.note_record();
create trigger note_truncate after truncate on ledger.usage_rests
  for each statement execute function service.note_record_of_all();
