-- Monthly AI spend in dollars: a row per provider connection or AI vendor with a bill, and one for the cards together.
-- Attribution is per row: one link, one share of any of its bills, one cost entry made from any of them is enough; only
-- cost entries of real initiatives book, while links and shares to samples count as links and shares.
create view reporting.ai_spend with (security_invoker = true) as
with bookings as (
  select c.account_id, c.initiative_id, c.provider_bill_id, c.vendor_bill_id, c.card_charge_id,
    coalesce(c.usd_amount_cents, 0) as usd_cents, coalesce(c.ai_usd_amount_cents, 0) as ai_usd_cents
  from ledger.cost_entries c
  join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
  where not i.is_sample and num_nonnulls(c.provider_bill_id, c.vendor_bill_id, c.card_charge_id) = 1
), billed as (
  select source_kind, account_id, month, connection_id, vendor_id,
    sum(usd_amount_cents)::bigint as billed_cents, sum(ai_usd_amount_cents)::bigint as ai_billed_cents,
    array_agg(bill_id) as bill_ids
  from reporting.ai_bills
  group by source_kind, account_id, month, connection_id, vendor_id
), traced as (
  select billed.*,
    exists (
      select from ledger.ai_spend_links link
      left join ledger.vendors linked on linked.account_id = link.account_id and linked.id = link.vendor_id
      where link.account_id = billed.account_id
        and (link.connection_id = billed.connection_id or coalesce(linked.merged_into_id, linked.id) = billed.vendor_id)
    ) as is_linked,
    exists (
      select from ledger.bill_shares share
      where share.account_id = billed.account_id
        and case billed.source_kind when 'provider_bill' then share.provider_bill_id else share.vendor_bill_id end
          = any (billed.bill_ids)
    ) as is_mapped,
    booked.entries, booked.initiatives, booked.usd_cents, booked.ai_usd_cents
  from billed
  cross join lateral (
    select count(*) as entries, count(distinct b.initiative_id) as initiatives,
      coalesce(sum(b.usd_cents), 0)::bigint as usd_cents, coalesce(sum(b.ai_usd_cents), 0)::bigint as ai_usd_cents
    from bookings b
    where b.account_id = billed.account_id
      and case billed.source_kind when 'provider_bill' then b.provider_bill_id else b.vendor_bill_id end
        = any (billed.bill_ids)
  ) as booked
), attributed as (
  select traced.*,
    case
      when not is_linked then 'unlinked'
      when not is_mapped then 'unmapped'
      when entries = 0 then 'unbooked'
      else 'attributed'
    end as attribution
  from traced
)
select
  row.account_id,
  row.month,
  row.source_kind,
  row.connection_id,
  connection.platform_key as platform,
  connection.name as connection_name,
  vendor.name as vendor_name,
  row.billed_cents,
  row.attribution,
  coalesce(connection.set_aside_at, vendor.set_aside_at) is not null as set_aside,
  row.initiatives::integer as initiative_count,
  case row.source_kind when 'ai_vendor' then row.usd_cents end as booked_cents,
  row.ai_billed_cents,
  case row.attribution when 'attributed' then least(row.ai_usd_cents, row.ai_billed_cents) else 0 end as ai_booked_cents
from attributed as row
left join ledger.connections connection on connection.account_id = row.account_id and connection.id = row.connection_id
left join ledger.vendors vendor on vendor.account_id = row.account_id and vendor.id = row.vendor_id
union all
select
  charge.account_id,
  charge.month,
  'card',
  null,
  null,
  null,
  null,
  sum(charge.amount_cents)::bigint,
  null,
  null,
  null,
  coalesce(sum(booked.usd_cents), 0)::bigint,
  null,
  null
from ledger.card_charges charge
join ledger.vendors matched on matched.account_id = charge.account_id and matched.id = charge.vendor_id
join ledger.vendors survivor
  on survivor.account_id = matched.account_id and survivor.id = coalesce(matched.merged_into_id, matched.id)
left join (
  select account_id, card_charge_id, sum(usd_cents) as usd_cents from bookings group by account_id, card_charge_id
) as booked on booked.account_id = charge.account_id and booked.card_charge_id = charge.id
where charge.currency = 'USD' and survivor.is_ai
group by charge.account_id, charge.month;
