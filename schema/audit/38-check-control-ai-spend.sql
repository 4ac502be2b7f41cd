-- The rows of ai_spend, with amounts and attribution, equal rows that this check computes from the ledger's bills, charges,
-- links, shares and bookings.
set variable reads = ['ai_spend'];
with vendors as (
  select v.figures['id'] as vendor_id, s.figures['id'] as survivor_id, s.figures['name_digest'] as name_digest,
    s.figures['set_aside']::boolean as set_aside
  from control_rows v
  join control_rows s on s.base_table = 'vendors' and s.figures['id'] = coalesce(v.figures['merged_into_id'], v.figures['id'])
  where v.base_table = 'vendors' and s.figures['is_ai'] = 'true'
), bills as (
  select 'provider_bill' as kind, figures['month']::date as month, figures['connection_id'] as owner_id,
    figures['usd_amount_cents']::bigint as billed, figures['ai_usd_amount_cents']::bigint as ai_billed,
    string_split(figures['bill_ids'], ' ') as ids
  from control_rows where base_table = 'provider_bills'
  union all
  select 'ai_vendor', figures['month']::date, survivor_id, figures['usd_amount_cents']::bigint,
    figures['ai_usd_amount_cents']::bigint, string_split(figures['bill_ids'], ' ')
  from control_rows join vendors on vendor_id = figures['vendor_id'] where base_table = 'vendor_bills'
  union all
  select 'card', figures['month']::date, '', figures['amount_cents']::bigint, null, string_split(figures['charge_ids'], ' ')
  from control_rows join vendors on vendor_id = figures['vendor_id'] where base_table = 'card_charges'
), billed as (
  select kind, month, owner_id, sum(billed) as billed, sum(ai_billed) as ai_billed from bills group by all
), linked as (
  select 'provider_bill' as kind, figures['connection_id'] as owner_id
  from control_rows where base_table = 'ai_spend_links' and figures['connection_id'] is not null
  union
  select 'ai_vendor', survivor_id
  from control_rows join vendors on vendor_id = figures['vendor_id'] where base_table = 'ai_spend_links'
), mapped as (
  select 'provider_bill' as kind, figures['provider_bill_id'] as id from control_rows where base_table = 'bill_shares'
  union
  select 'ai_vendor', figures['vendor_bill_id'] from control_rows where base_table = 'bill_shares'
), booked as (
  select
    case when figures['provider_bill_id'] is not null then 'provider_bill'
      when figures['vendor_bill_id'] is not null then 'ai_vendor' else 'card' end as kind,
    coalesce(figures['provider_bill_id'], figures['vendor_bill_id'], figures['card_charge_id']) as id,
    figures['usd_amount_cents']::bigint as cents,
    figures['ai_usd_amount_cents']::bigint as ai_cents,
    string_split(figures['initiative_ids'], ' ') as initiatives
  from control_rows where base_table = 'booked_costs'
), traced as (
  select kind, month, owner_id, bool_or(mapped.id is not null) as is_mapped, count(booked.id) as bookings,
    coalesce(sum(cents), 0) as cents, coalesce(sum(ai_cents), 0) as ai_cents,
    len(list_distinct(coalesce(flatten(list(initiatives)), []))) as initiatives
  from (select kind, month, owner_id, unnest(ids) as id from bills)
  left join mapped using (kind, id)
  left join booked using (kind, id)
  group by all
), attributed as (
  select *, case
      when kind = 'card' then null
      when (kind, owner_id) not in (select (kind, owner_id) from linked) then 'unlinked'
      when not is_mapped then 'unmapped'
      when bookings = 0 then 'unbooked'
      else 'attributed' end as attribution
  from billed join traced using (kind, month, owner_id)
), expected as (
  select month, kind as source_kind, if(kind = 'provider_bill', owner_id::bigint, null) as connection_id,
    c.platform_key as platform, c.name_digest as connection_digest, v.name_digest as vendor_digest, billed as billed_cents,
    attribution, if(kind = 'card', null, coalesce(c.set_aside, v.set_aside)) as set_aside,
    if(kind = 'card', null, initiatives) as initiative_count, if(kind = 'provider_bill', null, cents) as booked_cents,
    ai_billed as ai_billed_cents,
    case when kind = 'card' then null when attribution = 'attributed' then least(ai_cents, ai_billed) else 0 end as ai_booked_cents
  from attributed
  left join control_connections c on kind = 'provider_bill' and c.id::varchar = owner_id
  left join (select distinct survivor_id, name_digest, set_aside from vendors) v on kind = 'ai_vendor' and v.survivor_id = owner_id
), sides as (
  select true as is_ledger, month, source_kind, connection_id, vendor_digest, null as vendor_name, platform, connection_digest,
    billed_cents, attribution, set_aside, initiative_count, booked_cents, ai_billed_cents, ai_booked_cents
  from expected
  union all
  select false, month, source_kind, connection_id, md5(vendor_name), vendor_name, platform, md5(connection_name),
    billed_cents, attribution, set_aside, initiative_count, booked_cents, ai_billed_cents, ai_booked_cents
  from ai_spend
), named as (
  select is_ledger, month, source_kind, connection_id, vendor_digest, vendor_name, unnest([
    {'name': 'platform', 'content': platform},
    {'name': 'digest of connection_name', 'content': connection_digest},
    {'name': 'billed_cents', 'content': billed_cents::varchar},
    {'name': 'attribution', 'content': attribution},
    {'name': 'set_aside', 'content': set_aside::varchar},
    {'name': 'initiative_count', 'content': initiative_count::varchar},
    {'name': 'booked_cents', 'content': booked_cents::varchar},
    {'name': 'ai_billed_cents', 'content': ai_billed_cents::varchar},
    {'name': 'ai_booked_cents', 'content': ai_booked_cents::varchar}
  ], recursive := true)
  from sides
), counted as (
  select concat_ws(' ', month, source_kind, coalesce(connection_id::varchar, max(vendor_name), vendor_digest)) as place,
    count(*) filter (where is_ledger) as expected, count(*) filter (where not is_ledger) as found
  from sides group by month, source_kind, connection_id, vendor_digest
), compared as (
  select concat_ws(' ', month, source_kind, coalesce(connection_id::varchar, max(vendor_name), vendor_digest)) as place, name,
    max(content) filter (where is_ledger) as expected, max(content) filter (where not is_ledger) as found,
    bool_or(is_ledger) and not bool_and(is_ledger) as are_both
  from named group by month, source_kind, connection_id, vendor_digest, name
), broken as (
  select place, 'rows' as figure, expected::varchar as expected, found::varchar as found from counted where expected <> found
  union all
  select place, name, expected, found from compared where are_both and expected is distinct from found
)
select 'ai_spend' as subject, *, 'it follows from the bills and bookings of the ledger' as rule from broken order by all;
