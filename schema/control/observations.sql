-- The observations on which approved value entries of initiatives that are not samples are based, per role and source:
-- their number, how often each column is filled, and a fingerprint of all columns that are copied unchanged.
select
  o.role,
  o.source_type,
  count(*) as rows,
  min(o.id) as least_id,
  max(o.id) as greatest_id,
  count(o.initiative_id) as with_initiative,
  count(o.currency) as with_currency,
  count(o.period_start) as with_period_start,
  count(o.period_end) as with_period_end,
  count(o.observed_at) as with_observation,
  count(o.sample_size) as with_sample_size,
  coalesce(sum(o.sample_size), 0) as sample_sizes,
  count(*) filter (where o.is_estimated) as estimated,
  count(o.connection_id) as with_connection,
  count(o.notes) as with_notes,
  count(o.recorded_by_id) as with_recorder,
  count(o.baseline_method) as with_method,
  count(o.time_study_id) as with_time_study,
  sum(('x' || left(md5(concat_ws(chr(31),
    o.id, o.metric_id, coalesce(o.initiative_id::text, ''), o.role,
    -- The shortest text that reads back as the same number. PostgreSQL and DuckDB write it alike below 1e15; from 1e15, all
    -- digits are written.
    case when abs(o.value) >= 1e15 and abs(o.value) < 9e18 then trunc(o.value)::bigint::text else o.value::text end,
    coalesce(o.currency, ''), coalesce(o.period_start::text, ''), coalesce(o.period_end::text, ''),
    coalesce((extract(epoch from o.observed_at) * 1000000)::bigint::text, ''), coalesce(o.sample_size::text, ''),
    o.is_estimated::text, o.source_type, coalesce(o.connection_id::text, ''), o.dimensions, coalesce(o.notes, ''),
    coalesce(o.recorded_by_id::text, ''), coalesce(o.baseline_method, ''), coalesce(o.time_study_id::text, '')
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.observations o
where o.account_id = :account_id
  and o.id in (
    select unnest(v.input_observation_ids)
    from ledger.value_entries v
    where v.account_id = :account_id and v.status = 'approved'
      and not exists (
        select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample))
group by o.role, o.source_type
order by o.role collate "C", o.source_type collate "C"
