-- The approval decisions per kind of subject and decision: their number and sums, how often each column is filled, and a
-- fingerprint of all columns that are copied unchanged. A decision about a sample is never in the files, even if the
-- initiative is no longer a sample. A decision is also left out while its initiative is a sample. The decisions left out are
-- rows with `is_sample`: with their ids, and with the time of the latest approval of a value entry that now belongs to no
-- sample. They are separate rows, so that the other decisions can be summed without sorting.
select * from (
  select
    false as is_sample,
    d.subject_kind,
    d.decision,
    null::bigint as sample_entry_id,
    (extract(epoch from max(d.decided_at)) * 1000000)::bigint as latest_at,
    null as sample_ids,
    :figures,
    :fingerprint as fingerprint
  from ledger.approval_decisions d
  where d.account_id = :account_id and not d.is_sample and not exists (
    select from ledger.initiatives i where i.account_id = d.account_id and i.id = d.initiative_id and i.is_sample)
  group by d.subject_kind, d.decision
  union all
  select
    true,
    d.subject_kind,
    d.decision,
    case when d.subject_kind = 'value_entry' and d.decision = 'approved' and exists (
        select from ledger.value_entries v
        where v.account_id = d.account_id and v.id = d.subject_id and not exists (
          select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample))
      then d.subject_id end as sample_entry_id,
    (extract(epoch from max(d.decided_at)) * 1000000)::bigint,
    string_agg(d.id::text, ' ' order by d.id),
    count(*), min(d.id), max(d.id), null, null, null, null, null, null, null, null, null, null
  from ledger.approval_decisions d
  where d.account_id = :account_id and (d.is_sample or exists (
    select from ledger.initiatives i where i.account_id = d.account_id and i.id = d.initiative_id and i.is_sample))
  -- Split into several rows: one row with all ids could be too long for a line of control.json.
  group by d.subject_kind, d.decision, sample_entry_id, d.id / 100000
) as decided
order by is_sample, subject_kind collate "C", decision collate "C", sample_entry_id, least_id
