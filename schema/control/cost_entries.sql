-- The costs of initiatives that are not samples, per currency: their number and sums, how often each column is filled, and
-- a fingerprint of all columns that are copied unchanged.
select
  c.currency::text as currency,
  count(*) as rows,
  min(c.id) as least_id,
  max(c.id) as greatest_id,
  sum(c.amount_cents) as amount_cents,
  coalesce(sum(c.usd_amount_cents), 0) as usd_amount_cents,
  coalesce(sum(c.usd_amount_cents) filter (where c.cost_category = 'capex'), 0) as capex_usd_cents,
  coalesce(sum(c.usd_amount_cents) filter (where c.cost_category = 'opex'), 0) as opex_usd_cents,
  count(*) filter (where c.usd_amount_cents is null) as empty_dollars,
  count(c.usd_rate) as with_rate,
  count(*) filter (where c.usd_rate_provisional) as provisional,
  count(*) filter (where c.is_estimated) as estimated,
  count(c.period_start) as with_period_start,
  count(c.period_end) as with_period_end,
  count(c.vendor_id) as with_vendor,
  coalesce(sum(c.vendor_id), 0) as vendor_ids,
  count(c.vendor_name) as with_vendor_name,
  count(c.description) as with_description,
  count(c.notes) as with_notes,
  count(c.books_account_id) as with_books_account,
  count(c.connection_id) as with_connection,
  coalesce(sum(c.connection_id), 0) as connection_ids,
  count(c.source_ref) as with_source_ref,
  count(c.implementation_id) as with_implementation,
  count(c.recurring_cost_id) as with_recurring_cost,
  count(c.allocation_line_id) as with_allocation_line,
  count(c.recorded_by_id) as with_recorder,
  coalesce(sum(c.recorded_by_id), 0) as recorder_ids,
  sum(('x' || left(md5(concat_ws(chr(31),
    c.id, c.initiative_id, c.amount_cents, c.currency, coalesce(c.usd_amount_cents::text, ''),
    coalesce(c.usd_rate::text, ''), coalesce(c.usd_rate_from::text, ''), coalesce(c.usd_rate_through::text, ''),
    c.cost_category, coalesce(c.cost_type, 'other'), coalesce(c.period_start::text, ''),
    coalesce(c.period_end::text, ''), c.is_estimated::text,
    coalesce(c.vendor_id::text, ''), coalesce(c.vendor_name, ''), coalesce(c.description, ''), coalesce(c.notes, ''),
    c.source_type, coalesce(c.connection_id::text, ''), coalesce(c.source_ref, ''),
    coalesce(c.implementation_id::text, ''), coalesce(c.recurring_cost_id::text, ''),
    coalesce(c.allocation_line_id::text, ''), coalesce(c.recorded_by_id::text, ''),
    (extract(epoch from c.created_at) * 1000000)::bigint, (extract(epoch from c.updated_at) * 1000000)::bigint
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.cost_entries c
where c.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = c.account_id and i.id = c.initiative_id and i.is_sample)
group by c.currency
order by c.currency collate "C"
