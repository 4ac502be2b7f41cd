-- The control totals of each companion table, read from the base tables without views: the number of rows, and the sums of
-- ids, of times of change and of amounts.
select
  name,
  count(*) as rows,
  coalesce(sum(id), 0) as ids,
  coalesce(sum((extract(epoch from updated_at) * 1000000)::bigint), 0) as changes,
  coalesce(sum(amount_cents), 0) as amount_cents
from (
  select 'api_initiatives' as name, i.id, i.updated_at, null::bigint as amount_cents
  from ledger.initiatives i
  where i.account_id = :account_id and not i.is_sample
  union all
  select 'api_cost_entries', c.id, c.updated_at, c.amount_cents
  from ledger.cost_entries c
  where c.account_id = :account_id
    and c.initiative_id not in (
      select i.id from ledger.initiatives i where i.account_id = :account_id and i.is_sample)
  union all
  select 'api_value_entries', v.id, v.updated_at, v.amount_cents
  from ledger.value_entries v
  where v.account_id = :account_id
    and v.initiative_id not in (
      select i.id from ledger.initiatives i where i.account_id = :account_id and i.is_sample)
  union all
  select 'api_metrics', m.id, m.updated_at, null
  from ledger.metrics m
  where m.account_id = :account_id
  union all
  select 'api_observations', o.id, o.updated_at, null
  from ledger.observations o
  where o.account_id = :account_id and o.deleted_at is null
    and not exists (
      select from ledger.initiatives i
      where i.account_id = o.account_id and i.id = o.initiative_id and i.is_sample)
  union all
  select 'api_decisions', d.id, d.updated_at, d.cash_value_cents
  from ledger.portfolio_decisions d
  where d.account_id = :account_id and not d.is_sample
    and not exists (
      select from ledger.initiatives i
      where i.account_id = d.account_id and i.id = d.initiative_id and i.is_sample)
  union all
  select 'api_integrations', c.id, c.updated_at, null
  from ledger.connections c
  where c.account_id = :account_id
  union all
  select 'api_vendor_names', v.id, null, null
  from ledger.vendors v
  where v.account_id = :account_id and v.merged_into_id is null
  union all
  select 'api_ai_usage', u.id, u.updated_at, u.cost_cents
  from ledger.usage u
  where u.account_id = :account_id and u.load_ref is null
  union all
  select 'api_ai_usage', u.id, u.updated_at, u.cost_cents
  from ledger.usage u
  where u.account_id = :account_id and u.load_ref is not null
    and not exists (
      select from ledger.usage o
      where o.account_id = :account_id and o.bill_id = u.bill_id and o.used_on = u.used_on and o.unit = u.unit
        and o.load_ref is null)
  union all
  select 'api_ai_usage', part.id, stored.updated_at, part.cents
  from ledger.provider_bills b
  left join (
    select u.bill_id, coalesce(sum(u.cost_cents), 0)::bigint as cents
    from ledger.usage u
    where u.account_id = :account_id and u.load_ref is null
    group by u.bill_id) used on used.bill_id = b.id
  cross join lateral (values
    (-2 * b.id, case when used.bill_id is null then b.ai_amount_cents else 0 end),
    (-2 * b.id - 1, b.amount_cents - coalesce(used.cents, b.ai_amount_cents))) part (id, cents)
  left join ledger.usage_rests stored on stored.account_id = :account_id and stored.id = part.id
  where b.account_id = :account_id and part.cents <> 0
) companions
group by name
order by name
