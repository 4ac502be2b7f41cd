-- The card charges in dollars that were matched to a vendor: their ids and their sum, per vendor and month.
select
  c.vendor_id,
  c.month::text as month,
  string_agg(c.id::text, ' ' order by c.id) as charge_ids,
  sum(c.amount_cents) as amount_cents
from ledger.card_charges c
where c.account_id = :account_id and c.currency = 'USD' and c.vendor_id is not null
group by c.vendor_id, c.month
order by c.vendor_id, c.month
