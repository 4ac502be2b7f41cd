-- Time and person of an approved value entry are those of its latest approval; an automatic approval has no person. A
-- decision has both amount and currency, or neither. Its step is between 1 and the number of steps of its approval chain.
set variable reads = ['reported_value', 'approval_decisions'];
with latest_ids as (
  -- Time and id are packed into one number, the time first: so a million groups need little memory.
  select subject_id as value_entry_id,
    (max(epoch_us(decided_at)::hugeint * 9223372036854775808 + approval_decision_id) % 9223372036854775808)::bigint as approval_decision_id
  from approval_decisions where subject_kind = 'value_entry' and decision = 'approved'
  group by subject_id
), approvals as (
  select value_entry_id, decided_at, decided_by_id, source from latest_ids join approval_decisions using (approval_decision_id)
), unlisted as (
  -- Approvals given while the initiative was a sample: such a decision is in no file, but its entry may be in one now.
  select figures['sample_entry_id']::bigint as value_entry_id, max(figures['latest_at']::bigint) as latest_at
  from control_rows where base_table = 'approval_decisions' and figures['sample_entry_id'] is not null
  group by all
), entries as (
  select value_entry_id, approved_at, approved_by_id, approval_source, decided_at, decided_by_id, source, latest_at,
    coalesce(latest_at > epoch_us(decided_at), latest_at is not null) as is_unlisted
  from reported_value left join approvals using (value_entry_id) left join unlisted using (value_entry_id)
), broken as (
  -- Joining millions of rows takes long, so both conditions use one join.
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place,
    'approval_source, approved_by_id and approved_at' as figure,
    if(is_unlisted, 'at ' || make_timestamp(latest_at),
      concat_ws(', ', said(source), said(decided_by_id), said(make_timestamp(epoch_us(decided_at))))) as expected,
    concat_ws(', ', approval_source, said(approved_by_id), said(make_timestamp(epoch_us(approved_at)))) as found,
    if(is_unlisted, 'the latest approval was given while the entry belonged to a sample',
      'an entry is approved when and by whom its latest approval says') as rule
  from entries
  where case when is_unlisted
    then epoch_us(approved_at) is distinct from latest_at or (approval_source = 'auto' and approved_by_id is not null)
    else approved_at is distinct from decided_at or approved_by_id is distinct from decided_by_id
      or (approval_source = 'auto') <> coalesce(source = 'auto', false) end
  union all
  select 'approval_decisions', 'approval_decision_id ' || approval_decision_id, 'decided_by_id', null, decided_by_id::varchar,
    'an automatic decision names no person'
  from approval_decisions where source = 'auto' and decided_by_id is not null
  union all
  select 'approval_decisions', 'approval_decision_id ' || approval_decision_id, 'amount_cents and currency', 'both or neither',
    said(amount_cents) || ' and ' || said(currency), null
  from approval_decisions where (amount_cents is null) <> (currency is null)
  union all
  select 'approval_decisions', 'approval_decision_id ' || approval_decision_id, 'step', 'from 1 to ' || total_steps, step::varchar,
    'a step lies within its chain'
  from approval_decisions where step < 1 or step > total_steps
)
from broken order by all;
