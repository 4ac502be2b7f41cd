-- The file equals the control totals of the ledger's table, for each currency and type: rows, sums, counts of filled
-- columns, and a fingerprint of all columns that are copied unchanged.
set variable reads = ['reported_value'];
with totals as (
  select
    currency,
    entry_type,
    count(*)::varchar as rows,
    min(value_entry_id)::varchar as least_id,
    max(value_entry_id)::varchar as greatest_id,
    sum(amount_cents)::varchar as amount_cents,
    coalesce(sum(usd_amount_cents), 0)::varchar as usd_amount_cents,
    count(*) filter (where usd_amount_cents is null)::varchar as empty_dollars,
    count(usd_rate)::varchar as with_rate,
    coalesce(sum(vendor_price_effect_cents), 0)::varchar as vendor_price_effect_cents,
    coalesce(sum(own_changes_effect_cents), 0)::varchar as own_changes_effect_cents,
    count(vendor_price_effect_cents)::varchar as with_effects,
    count(*) filter (where is_estimated)::varchar as estimated,
    count(period_start)::varchar as with_period_start,
    count(period_end)::varchar as with_period_end,
    count(confidence_score)::varchar as with_confidence,
    count(connection_id)::varchar as with_connection,
    coalesce(sum(connection_id), 0)::varchar as connection_ids,
    count(source_ref)::varchar as with_source_ref,
    count(formula_id)::varchar as with_formula,
    count(formula_expression)::varchar as with_expression,
    count(notes)::varchar as with_notes,
    count(recorded_by_id)::varchar as with_recorder,
    coalesce(sum(recorded_by_id), 0)::varchar as recorder_ids,
    count(approved_at)::varchar as with_approval,
    sum(digest_bits(concat_ws(chr(31),
      value_entry_id, initiative_id, amount_cents, currency, coalesce(usd_amount_cents::varchar, ''),
      coalesce(usd_rate::decimal(20, 10)::varchar, ''), coalesce(usd_rate_from::varchar, ''),
      coalesce(usd_rate_through::varchar, ''), entry_type, coalesce(utc_day(period_start)::varchar, ''),
      coalesce(utc_day(period_end)::varchar, ''), is_estimated::varchar,
      coalesce(floor(confidence_score * 1000000)::bigint::varchar, ''), source_type,
      coalesce(connection_id::varchar, ''), coalesce(source_ref, ''), input_snapshot_sha256,
      coalesce(vendor_price_effect_cents::varchar, ''), coalesce(own_changes_effect_cents::varchar, ''),
      coalesce(notes, ''), coalesce(recorded_by_id::varchar, ''),
      epoch_us(created_at), epoch_us(updated_at))))::varchar as fingerprint
  from reported_value
  group by currency, entry_type
), found as (
  unpivot totals on columns(* exclude (currency, entry_type)) into name name value content
), groups as (
  select row,
    max(content) filter (where name = 'currency') as currency,
    max(content) filter (where name = 'entry_type') as entry_type
  from control where base_table = 'value_entries'
  group by row
  having max(content) filter (where name = 'status') = 'approved'
), expected as (
  select currency, entry_type, name, content
  from groups join control using (row)
  where base_table = 'value_entries' and name not in ('status', 'currency', 'entry_type')
)
select
  'reported_value' as subject,
  currency || ' ' || entry_type as place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (currency, entry_type, name)
where expected.content is distinct from found.content
order by currency, entry_type, name = 'fingerprint', name;
