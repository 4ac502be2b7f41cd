-- Entries without a dollar figure are in no total. The manifest states their amounts and counts in `left_out`, by currency:
-- costs, cash value, and capacity separately. These equal the files. `left_out` also states the bills that are in no row of
-- ai_spend. These equal the control totals, of vendors flagged as AI and of vendors that were merged into one. Builds and
-- verifiers set the variables `left_out` and `left_out_bills` from the manifest. In a run by hand they are not set, and nothing
-- is compared. An older program sets `left_out` alone, and bills are not compared.
set variable reads = ['reported_value', 'costs'];
with manifest as (
  select from_json(getvariable('left_out')::json, '{
    "cost": [{"currency": "varchar", "amount_cents": "bigint", "entries": "bigint"}],
    "value": [{"currency": "varchar", "amount_cents": "bigint", "entries": "bigint",
      "capacity_amount_cents": "bigint", "capacity_entries": "bigint"}]}') as stated
), found as (
  select 'costs' as subject, each.currency as currency, each.amount_cents as amount_cents, each.entries as entries,
    0::bigint as capacity_amount_cents, 0::bigint as capacity_entries
  from (select unnest(stated.cost) as each from manifest)
  union all
  select 'reported_value', each.currency, each.amount_cents, each.entries, each.capacity_amount_cents, each.capacity_entries
  from (select unnest(stated.value) as each from manifest)
  union all
  select each."table", each.currency, each.amount_cents, each.entries, 0, 0
  from (
    select unnest(from_json(getvariable('left_out_bills')::json,
      '[{"table": "varchar", "currency": "varchar", "amount_cents": "bigint", "entries": "bigint"}]')) as each)
), ai_vendors as (
  select v.figures['id'] as vendor_id
  from control_rows v
  join control_rows s on s.base_table = 'vendors' and s.figures['id'] = coalesce(v.figures['merged_into_id'], v.figures['id'])
  where v.base_table = 'vendors' and s.figures['is_ai'] = 'true'
), expected as (
  select 'costs' as subject, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries,
    0::bigint as capacity_amount_cents, 0::bigint as capacity_entries
  from costs where usd_amount_cents is null group by currency
  union all
  select 'reported_value', currency,
    coalesce(sum(amount_cents) filter (where entry_type <> 'capacity'), 0)::bigint, count(*) filter (where entry_type <> 'capacity'),
    coalesce(sum(amount_cents) filter (where entry_type = 'capacity'), 0)::bigint, count(*) filter (where entry_type = 'capacity')
  from reported_value where usd_amount_cents is null group by currency
  union all
  select figures['bills'], figures['currency'], sum(figures['amount_cents']::hugeint)::bigint, sum(figures['rows']::bigint)::bigint, 0, 0
  from control_rows left join ai_vendors on vendor_id = figures['vendor_id']
  where base_table = 'left_out_bills' and getvariable('left_out_bills') is not null
    and (figures['bills'] = 'provider_bills' or vendor_id is not null)
  group by figures['bills'], figures['currency']
), cells as (
  select is_stated, subject, currency, unnest([
    {'name': 'amount_cents', 'amount': amount_cents},
    {'name': 'entries', 'amount': entries},
    {'name': 'capacity_amount_cents', 'amount': capacity_amount_cents},
    {'name': 'capacity_entries', 'amount': capacity_entries}
  ], recursive := true)
  from (select true as is_stated, * from found union all select false, * from expected)
  where getvariable('left_out') is not null
), compared as (
  select subject, currency, name, sum(amount) filter (where is_stated) as found, sum(amount) filter (where not is_stated) as expected
  from cells group by subject, currency, name
)
select subject, 'left_out ' || currency as place, name as figure, expected::varchar as expected, found::varchar as found,
  if(subject in ('costs', 'reported_value'), 'the manifest leaves out what the files have without dollars',
    'the manifest leaves out the bills that no row of ai_spend has') as rule
from compared where found is distinct from expected
order by subject, currency, name;
