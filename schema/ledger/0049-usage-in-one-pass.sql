-- Which quantities of files a bill counts itself is found in one pass over the rows of the bill. Until now each quantity was
-- looked for among all rows of its day: a million quantities would have taken hours.
create or replace function service.settle_usage_of(accounts bigint[], bills bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two transactions that change the use of one bill wait for each other; each would leave the other's rows out.
  perform from ledger.provider_bills b
    where (b.account_id, b.id) in (select * from unnest(accounts, bills)) order by b.account_id, b.id for no key update;
  update ledger.usage u
    set superseded = not u.superseded
    from (
      select used.account_id, used.id, used.superseded, used.load_ref is not null as of_file,
        bool_or(used.load_ref is null) over (partition by used.account_id, used.bill_id, used.used_on, used.unit) as counted
      from unnest(accounts, bills) as n (account_id, bill_id)
      join ledger.usage used on used.account_id = n.account_id and used.bill_id = n.bill_id
    ) as placed
    where placed.of_file and placed.superseded <> placed.counted and u.account_id = placed.account_id and u.id = placed.id;
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
