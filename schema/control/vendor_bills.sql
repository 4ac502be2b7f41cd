-- The vendor bills that have a dollar figure: their ids and their sums, per vendor and month.
select
  b.vendor_id,
  b.month::text as month,
  string_agg(b.id::text, ' ' order by b.id) as bill_ids,
  sum(b.usd_amount_cents) as usd_amount_cents,
  coalesce(sum(b.ai_usd_amount_cents), 0) as ai_usd_amount_cents
from ledger.vendor_bills b
where b.account_id = :account_id and b.usd_amount_cents is not null
group by b.vendor_id, b.month
order by b.vendor_id, b.month
