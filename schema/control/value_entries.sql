-- The value entries of initiatives that are not samples, per status, currency and type: their number and sums, how often each
-- column is filled, and a fingerprint of all columns that are copied unchanged. The reporting tables have only approved
-- entries. A draft may have no currency and no type.
select
  v.status,
  v.currency::text as currency,
  v.entry_type,
  count(*) as rows,
  min(v.id) as least_id,
  max(v.id) as greatest_id,
  coalesce(sum(v.amount_cents), 0) as amount_cents,
  coalesce(sum(v.usd_amount_cents), 0) as usd_amount_cents,
  count(*) filter (where v.usd_amount_cents is null) as empty_dollars,
  count(v.usd_rate) as with_rate,
  coalesce(sum(v.vendor_price_effect_cents), 0) as vendor_price_effect_cents,
  coalesce(sum(v.own_changes_effect_cents), 0) as own_changes_effect_cents,
  count(v.vendor_price_effect_cents) as with_effects,
  count(*) filter (where v.is_estimated) as estimated,
  count(v.period_start) as with_period_start,
  count(v.period_end) as with_period_end,
  count(v.confidence_score) as with_confidence,
  count(v.connection_id) as with_connection,
  coalesce(sum(v.connection_id), 0) as connection_ids,
  count(v.source_ref) as with_source_ref,
  count(v.formula_version_id) as with_formula,
  count(v.formula_expression) as with_expression,
  count(v.notes) as with_notes,
  count(v.recorded_by_id) as with_recorder,
  coalesce(sum(v.recorded_by_id), 0) as recorder_ids,
  count(v.approval_decision_id) as with_approval,
  sum(('x' || left(md5(concat_ws(chr(31),
    v.id, v.initiative_id, v.amount_cents, v.currency, coalesce(v.usd_amount_cents::text, ''),
    coalesce(v.usd_rate::text, ''), coalesce(v.usd_rate_from::text, ''), coalesce(v.usd_rate_through::text, ''),
    v.entry_type, coalesce(v.period_start::text, ''),
    coalesce(v.period_end::text, ''), v.is_estimated::text,
    coalesce(floor(v.confidence_score * 1000000)::bigint::text, ''), v.source_type,
    coalesce(v.connection_id::text, ''), coalesce(v.source_ref, ''), v.input_snapshot_sha256,
    coalesce(v.vendor_price_effect_cents::text, ''), coalesce(v.own_changes_effect_cents::text, ''),
    coalesce(v.notes, ''), coalesce(v.recorded_by_id::text, ''),
    (extract(epoch from v.created_at) * 1000000)::bigint, (extract(epoch from v.updated_at) * 1000000)::bigint
  )), 15))::bit(60)::bigint) filter (where v.status = 'approved') as fingerprint
from ledger.value_entries v
where v.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample)
group by v.status, v.currency, v.entry_type
order by v.status collate "C", v.currency collate "C", v.entry_type collate "C"
