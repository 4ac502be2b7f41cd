-- For each bill and card charge: the dollars that were booked from it to initiatives that are not samples, the AI part of
-- these dollars, and the ids of the initiatives.
select
  c.provider_bill_id,
  c.vendor_bill_id,
  c.card_charge_id,
  coalesce(sum(c.usd_amount_cents), 0) as usd_amount_cents,
  coalesce(sum(c.ai_usd_amount_cents), 0) as ai_usd_amount_cents,
  string_agg(distinct c.initiative_id::text, ' ') as initiative_ids
from ledger.cost_entries c
where c.account_id = :account_id
  and num_nonnulls(c.provider_bill_id, c.vendor_bill_id, c.card_charge_id) = 1
  and not exists (
    select from ledger.initiatives i where i.account_id = c.account_id and i.id = c.initiative_id and i.is_sample)
group by c.provider_bill_id, c.vendor_bill_id, c.card_charge_id
order by c.provider_bill_id, c.vendor_bill_id, c.card_charge_id
