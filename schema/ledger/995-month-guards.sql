-- The guards of updates, made to read what was changed once. A statement is planned with as many rows as the first one of
-- its session changed: after a single entry, each of ten thousand was looked for among the ten thousand before it, and
-- closing a month of a large account took minutes, all writers waiting. A full join is never done that way. It finds the
-- same pairs: no key changes (`keep_key`). What takes longest, to compare a row with what it was, is asked of the rows of
-- locked months alone, which is why it names the month: otherwise it would be asked before months are looked at.

create or replace function service.guard_costs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.booked_month = m.month
      where m.status = 'locked' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.booked_month = m.month
      where m.status = 'locked' and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, coalesce(n.id, o.id) as id into refused
      from old_rows o
      full join new_rows n on n.account_id = o.account_id and n.id = o.id
      join ledger.accounting_months m
        on m.account_id = coalesce(n.account_id, o.account_id) and m.month in (o.booked_month, n.booked_month)
      where m.status = 'locked'
        and case when m.month is not null then
          to_jsonb(n) - 'updated_at' is distinct from to_jsonb(o) - 'updated_at'
          -- A merge may repoint the vendor, and nothing else, to the survivor: no figure changes.
          and (to_jsonb(n) - array['updated_at', 'vendor_id'] = to_jsonb(o) - array['updated_at', 'vendor_id']
            and n.vendor_id = (select v.merged_into_id from ledger.vendors v where v.account_id = o.account_id and v.id = o.vendor_id))
            is not true -- unknown, without a vendor or a survivor, is no leave either
        end
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'cost_entries', refused.id);
  end if;
  return null;
end $$;

create or replace function service.guard_value() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  refused record;
begin
  if tg_op = 'INSERT' then
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, n.id into refused
      from ledger.accounting_months m
      join new_rows n on n.account_id = m.account_id and n.period_month = m.month
      where m.status = 'locked' and n.status = 'approved' limit 1;
  elsif tg_op = 'DELETE' then
    perform from ledger.account_gates g where g.account_id in (select account_id from old_rows) for share;
    select m.month, o.id into refused
      from ledger.accounting_months m
      join old_rows o on o.account_id = m.account_id and o.period_month = m.month
      where m.status = 'locked' and o.status = 'approved'
        and exists (select from ledger.accounts a where a.id = o.account_id) limit 1;
  else
    perform from ledger.account_gates g where g.account_id in (select account_id from new_rows) for share;
    select m.month, coalesce(n.id, o.id) as id into refused
      from old_rows o
      full join new_rows n on n.account_id = o.account_id and n.id = o.id
      join ledger.accounting_months m
        on m.account_id = coalesce(n.account_id, o.account_id) and m.month in (o.period_month, n.period_month)
      where m.status = 'locked'
        and (o.status = 'approved' and m.month = o.period_month or n.status = 'approved' and m.month = n.period_month)
        and case when m.month is not null then
          to_jsonb(n) - 'updated_at' is distinct from to_jsonb(o) - 'updated_at'
        end
      limit 1;
  end if;
  if found then
    perform service.refuse_locked(refused.month, 'value_entries', refused.id);
  end if;
  return null;
end $$;
