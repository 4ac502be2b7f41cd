-- The provider bills that have a dollar figure: their ids and their sums, per connection and month.
select
  b.connection_id,
  b.month::text as month,
  string_agg(b.id::text, ' ' order by b.id) as bill_ids,
  sum(b.usd_amount_cents) as usd_amount_cents,
  coalesce(sum(b.ai_usd_amount_cents), 0) as ai_usd_amount_cents
from ledger.provider_bills b
where b.account_id = :account_id and b.usd_amount_cents is not null
group by b.connection_id, b.month
order by b.connection_id, b.month
