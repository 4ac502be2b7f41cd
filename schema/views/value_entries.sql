-- Value entries of every status, with their basis (what the weakest baseline is), provenance (where the entry comes
-- from), approval and the lock of their month.
create view reporting.value_entries with (security_invoker = true) as
select
  v.account_id,
  v.id,
  v.initiative_id,
  i.is_sample,
  v.amount_cents::bigint as amount_cents,
  v.currency::text as currency,
  v.usd_amount_cents::bigint as usd_amount_cents,
  v.usd_rate::numeric as usd_rate,
  v.usd_rate_from::date as usd_rate_from,
  v.usd_rate_through::date as usd_rate_through,
  v.status,
  v.entry_type,
  v.status = 'approved' and v.usd_amount_cents is not null
    and v.entry_type in ('revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity_realized') as counts_toward_roi,
  v.period_start::date as period_start,
  v.period_end::date as period_end,
  v.is_estimated,
  v.status = 'approved' and locked.month is not null as locked,
  -- The weakest baseline decides the basis. A baseline from history or a time study keeps its basis only if it began
  -- before go-live, or if a day for the comparison is missing.
  case
    when v.is_estimated then 'estimated'
    when v.baseline_methods = '{}' then 'none'
    when v.baseline_methods && array['benchmark', 'estimate'] then 'estimated'
    when v.baseline_measured_on >= (i.went_live_at at time zone 'UTC')::date then 'estimated'
    when 'without_ai_sample' = any (v.baseline_methods) then 'reconstructed'
    else 'measured'
  end as basis,
  v.confidence_score::double precision as confidence_score,
  v.quality_score::double precision as quality_score,
  v.notes,
  case v.source_type
    when 'integration' then 'Synced from ' || platform.name
    when 'calculated' then 'Calculated by ' || formula_version.name
    when 'assistant' then 'Recorded by the assistant'
    when 'csv' then 'Imported from CSV'
    else 'Entered by hand'
  end as provenance,
  v.source_type,
  v.connection_id,
  connection.platform_key as platform,
  v.source_ref,
  formula.id as formula_id,
  formula.formula_key,
  formula_version.name as formula_name,
  formula_version.version as formula_version,
  v.formula_expression,
  v.input_snapshot,
  v.input_snapshot_sha256,
  v.vendor_price_effect_cents::bigint as vendor_price_effect_cents,
  v.own_changes_effect_cents::bigint as own_changes_effect_cents,
  v.recorded_by_id,
  recorder.name as recorded_by_name,
  approval.decided_at::timestamptz as approved_at,
  approval.decided_by_id as approved_by_id,
  approver.name as approved_by_name,
  case when approval.source = 'auto' then 'auto' else 'direct' end as approval_source,
  v.created_at::timestamptz as created_at,
  v.updated_at::timestamptz as updated_at,
  service.app_url(a.app_url) || '/initiatives/' || v.initiative_id || '/value/' || v.id as app_url
from ledger.value_entries v
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
join ledger.accounts a on a.id = v.account_id
left join ledger.accounting_months locked
  on locked.account_id = v.account_id and locked.month = v.period_month and locked.status = 'locked'
left join ledger.connections connection on connection.account_id = v.account_id and connection.id = v.connection_id
left join ledger.platforms platform on platform.key = connection.platform_key
left join ledger.formula_versions formula_version
  on formula_version.account_id = v.account_id and formula_version.id = v.formula_version_id
left join ledger.formulas formula
  on formula.account_id = formula_version.account_id and formula.id = formula_version.formula_id
left join ledger.users recorder on recorder.id = v.recorded_by_id
left join ledger.approval_decisions approval
  on approval.account_id = v.account_id and approval.id = v.approval_decision_id
left join ledger.users approver on approver.id = approval.decided_by_id;
