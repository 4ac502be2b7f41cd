-- Every AI bill and card charge with a dollar figure. `source_kind`, `month` and `payee_id` are the key of its row in
-- ai_spend. `payee_id` is the id of a provider's connection or of a vendor flagged as AI, or 0 for all cards together. The
-- bills of a merged vendor count for the vendor it was merged into. Card charges have no AI part, because they pay bills
-- that are counted already; only charges in dollars are listed. `payees` must agree with OF_AI_VENDOR in
-- src/ledger/convert/converted-tables.ts, or a left-out bill is named nowhere.
create view reporting.ai_bills with (security_invoker = true) as
with payees as (
  select v.account_id, v.id as vendor_id, survivor.id as payee_id
  from ledger.vendors v
  join ledger.vendors survivor on survivor.account_id = v.account_id and survivor.id = coalesce(v.merged_into_id, v.id)
  where survivor.is_ai
)
select
  'provider_bill' as source_kind,
  bill.account_id,
  bill.month::date as month,
  bill.connection_id as payee_id,
  bill.id as bill_id,
  bill.usd_amount_cents::bigint as usd_amount_cents,
  bill.ai_usd_amount_cents::bigint as ai_usd_amount_cents
from ledger.provider_bills bill
where bill.usd_amount_cents is not null
union all
select 'ai_vendor', bill.account_id, bill.month::date, payee.payee_id, bill.id,
  bill.usd_amount_cents::bigint, bill.ai_usd_amount_cents::bigint
from ledger.vendor_bills bill
join payees payee on payee.account_id = bill.account_id and payee.vendor_id = bill.vendor_id
where bill.usd_amount_cents is not null
union all
select 'card', charge.account_id, charge.month, 0, charge.id, charge.amount_cents::bigint, null
from ledger.card_charges charge
join payees payee on payee.account_id = charge.account_id and payee.vendor_id = charge.vendor_id
where charge.currency = 'USD';
