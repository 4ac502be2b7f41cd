-- Monthly AI spend in dollars: a row per provider connection or AI vendor with a bill, and one for the cards together.
-- Attribution is decided for the row as a whole: one link, one share and one booked cost entry of any of its bills are
-- enough. A booking counts only if its initiative is no sample; links and shares of samples count, too. Links, shares and
-- bookings are grouped by the key of a row before the join, so that no bill is compared with every entry.
create view reporting.ai_spend with (security_invoker = true) as
with billed as (
  select account_id, source_kind, month, payee_id,
    sum(usd_amount_cents)::bigint as cents, sum(ai_usd_amount_cents)::bigint as ai_cents
  from reporting.ai_bills
  group by account_id, source_kind, month, payee_id
), linked as (
  select account_id, 'provider_bill' as source_kind, connection_id as payee_id
  from ledger.ai_spend_links
  where connection_id is not null
  union
  select link.account_id, 'ai_vendor', coalesce(vendor.merged_into_id, vendor.id)
  from ledger.ai_spend_links link
  join ledger.vendors vendor on vendor.account_id = link.account_id and vendor.id = link.vendor_id
), shares as (
  select account_id, coalesce(provider_bill_id, vendor_bill_id) as bill_id,
    case when provider_bill_id is not null then 'provider_bill' else 'ai_vendor' end as source_kind
  from ledger.bill_shares
), mapped as (
  select distinct bill.account_id, bill.source_kind, bill.month, bill.payee_id
  from reporting.ai_bills bill
  join shares share using (account_id, source_kind, bill_id)
), bookings as (
  select c.account_id, c.initiative_id, coalesce(c.provider_bill_id, c.vendor_bill_id, c.card_charge_id) as bill_id,
    case when c.provider_bill_id is not null then 'provider_bill' when c.vendor_bill_id is not null then 'ai_vendor'
      else 'card' end as source_kind,
    coalesce(c.usd_amount_cents, 0) as usd_cents, coalesce(c.ai_usd_amount_cents, 0) as ai_usd_cents
  from ledger.cost_entries c
  join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
  where not i.is_sample and num_nonnulls(c.provider_bill_id, c.vendor_bill_id, c.card_charge_id) = 1
), booked as (
  select bill.account_id, bill.source_kind, bill.month, bill.payee_id,
    count(distinct booking.initiative_id)::integer as initiatives,
    sum(booking.usd_cents)::bigint as cents, sum(booking.ai_usd_cents)::bigint as ai_cents
  from reporting.ai_bills bill
  join bookings booking using (account_id, source_kind, bill_id)
  group by bill.account_id, bill.source_kind, bill.month, bill.payee_id
), attributed as (
  select billed.*, booked.initiatives, booked.cents as booked_cents, booked.ai_cents as ai_booked_cents,
    case
      when billed.source_kind = 'card' then null
      when linked.payee_id is null then 'unlinked'
      when mapped.payee_id is null then 'unmapped'
      when booked.payee_id is null then 'unbooked'
      else 'attributed'
    end as attribution
  from billed
  left join linked using (account_id, source_kind, payee_id)
  left join mapped using (account_id, source_kind, month, payee_id)
  left join booked using (account_id, source_kind, month, payee_id)
)
select
  spend.account_id,
  spend.month,
  spend.source_kind,
  connection.id as connection_id,
  connection.platform_key as platform,
  connection.name as connection_name,
  vendor.name as vendor_name,
  spend.cents as billed_cents,
  spend.attribution,
  case when spend.source_kind <> 'card'
    then coalesce(connection.set_aside_at, vendor.set_aside_at) is not null end as set_aside,
  case when spend.source_kind <> 'card' then coalesce(spend.initiatives, 0) end as initiative_count,
  case when spend.source_kind <> 'provider_bill' then coalesce(spend.booked_cents, 0) end as booked_cents,
  spend.ai_cents as ai_billed_cents,
  case when spend.attribution = 'attributed' then least(spend.ai_booked_cents, spend.ai_cents)
    when spend.source_kind <> 'card' then 0 end as ai_booked_cents
from attributed spend
left join ledger.connections connection
  on spend.source_kind = 'provider_bill' and connection.account_id = spend.account_id and connection.id = spend.payee_id
left join ledger.vendors vendor
  on spend.source_kind = 'ai_vendor' and vendor.account_id = spend.account_id and vendor.id = spend.payee_id;
