-- Every AI bill that has a dollar figure, under the key of the row it adds to: a provider connection, or a vendor that is
-- flagged as AI (a merged one counts for its survivor). Charges of cards stand apart: they repeat what bills say.
create view reporting.ai_bills with (security_invoker = true) as
select
  'provider_bill' as source_kind,
  bill.account_id,
  bill.month::date as month,
  bill.id as bill_id,
  bill.connection_id,
  null::bigint as vendor_id,
  bill.usd_amount_cents::bigint as usd_amount_cents,
  bill.ai_usd_amount_cents::bigint as ai_usd_amount_cents
from ledger.provider_bills bill
where bill.usd_amount_cents is not null
union all
select
  'ai_vendor',
  bill.account_id,
  bill.month::date,
  bill.id,
  null,
  survivor.id,
  bill.usd_amount_cents::bigint,
  bill.ai_usd_amount_cents::bigint
from ledger.vendor_bills bill
join ledger.vendors billed on billed.account_id = bill.account_id and billed.id = bill.vendor_id
join ledger.vendors survivor
  on survivor.account_id = bill.account_id and survivor.id = coalesce(billed.merged_into_id, billed.id)
where bill.usd_amount_cents is not null and survivor.is_ai;
