-- The file equals the control totals of the ledger's table, for each currency: rows, sums, counts of filled columns, and a
-- fingerprint of all columns that are copied unchanged.
set variable reads = ['costs'];
with totals as (
  select
    currency,
    count(*)::varchar as rows,
    min(cost_entry_id)::varchar as least_id,
    max(cost_entry_id)::varchar as greatest_id,
    sum(amount_cents)::varchar as amount_cents,
    coalesce(sum(usd_amount_cents), 0)::varchar as usd_amount_cents,
    coalesce(sum(usd_amount_cents) filter (where cost_category = 'capex'), 0)::varchar as capex_usd_cents,
    coalesce(sum(usd_amount_cents) filter (where cost_category = 'opex'), 0)::varchar as opex_usd_cents,
    count(*) filter (where usd_amount_cents is null)::varchar as empty_dollars,
    count(usd_rate)::varchar as with_rate,
    count(*) filter (where usd_rate_provisional)::varchar as provisional,
    count(*) filter (where is_estimated)::varchar as estimated,
    count(period_start)::varchar as with_period_start,
    count(period_end)::varchar as with_period_end,
    count(vendor_id)::varchar as with_vendor,
    coalesce(sum(vendor_id), 0)::varchar as vendor_ids,
    count(vendor_name)::varchar as with_vendor_name,
    count(description)::varchar as with_description,
    count(notes)::varchar as with_notes,
    count(books_account_name)::varchar as with_books_account,
    count(connection_id)::varchar as with_connection,
    coalesce(sum(connection_id), 0)::varchar as connection_ids,
    count(source_ref)::varchar as with_source_ref,
    count(implementation_id)::varchar as with_implementation,
    count(recurring_cost_id)::varchar as with_recurring_cost,
    count(allocation_line_id)::varchar as with_allocation_line,
    count(recorded_by_id)::varchar as with_recorder,
    coalesce(sum(recorded_by_id), 0)::varchar as recorder_ids,
    sum(digest_bits(concat_ws(chr(31),
      cost_entry_id, initiative_id, amount_cents, currency, coalesce(usd_amount_cents::varchar, ''),
      coalesce(usd_rate::decimal(20, 10)::varchar, ''), coalesce(usd_rate_from::varchar, ''),
      coalesce(usd_rate_through::varchar, ''), cost_category, cost_type, coalesce(utc_day(period_start)::varchar, ''),
      coalesce(utc_day(period_end)::varchar, ''), is_estimated::varchar, coalesce(vendor_id::varchar, ''),
      coalesce(vendor_name, ''), coalesce(description, ''), coalesce(notes, ''), source_type,
      coalesce(connection_id::varchar, ''), coalesce(source_ref, ''), coalesce(implementation_id::varchar, ''),
      coalesce(recurring_cost_id::varchar, ''), coalesce(allocation_line_id::varchar, ''),
      coalesce(recorded_by_id::varchar, ''), epoch_us(created_at), epoch_us(updated_at))))::varchar as fingerprint
  from costs
  group by currency
), found as (
  unpivot totals on columns(* exclude (currency)) into name name value content
), expected as (
  select currency.content as currency, figure.name, figure.content
  from control currency join control figure using (base_table, row)
  where base_table = 'cost_entries' and currency.name = 'currency' and figure.name <> 'currency'
)
select
  'costs' as subject,
  currency as place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (currency, name)
where expected.content is distinct from found.content
order by currency, name = 'fingerprint', name;
