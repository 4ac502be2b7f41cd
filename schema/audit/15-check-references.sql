-- Each referenced initiative, entry, budget and decision exists. The subject of a decision is not checked, because it may
-- have been deleted.
set variable reads = [
  'initiatives', 'reported_value', 'value_inputs', 'value_supporting_documents', 'costs', 'approval_decisions',
  'budgets', 'budget_vs_actual', 'reported_totals'
];
with named as (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, initiative_id from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, initiative_id from costs
  union all
  select 'budgets', 'budget_id ' || budget_id, initiative_id from budgets
  union all
  select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, initiative_id from budget_vs_actual
  union all
  select 'reported_totals', 'initiative ' || said(initiative_id) || ' ' || window_key, initiative_id
  from reported_totals where scope = 'initiative'
), citing as (
  select 'value_inputs' as subject, 'value_entry_id ' || value_entry_id || ' ' || variable as place, value_entry_id, initiative_id
  from value_inputs
  union all
  select 'value_supporting_documents', 'value_entry_id ' || value_entry_id || ' document_id ' || document_id, value_entry_id, initiative_id
  from value_supporting_documents
), of_samples as (
  select unnest(string_split(figures['sample_ids'], ' '))::bigint as approval_decision_id
  from control_rows where base_table = 'approval_decisions'
)
select subject, place, 'initiative_id' as figure, 'one of initiatives' as expected, initiative_id::varchar as found,
  'a referenced record is in the snapshot' as rule
from named left join initiatives i using (initiative_id) where i.initiative_id is null
union all
select 'reported_totals', window_key, 'initiative_id', null, initiative_id::varchar, 'a portfolio row has no initiative'
from reported_totals where scope = 'portfolio' and initiative_id is not null
union all
select subject, place, 'value_entry_id and initiative_id', 'those of one row of reported_value',
  concat_ws(' ', value_entry_id, initiative_id), 'a referenced record is in the snapshot'
from citing left join reported_value v using (value_entry_id, initiative_id) where v.value_entry_id is null
union all
select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, 'budget_id', 'an approved budget of the initiative',
  budget_id::varchar, 'a referenced record is in the snapshot'
from budget_vs_actual left join (from budgets where status = 'approved') b using (budget_id, initiative_id) where b.budget_id is null
union all
select 'budgets', 'budget_id ' || budget_id, 'approval_decision_id', 'one of approval_decisions', approval_decision_id::varchar,
  'a referenced record is in the snapshot'
from budgets
left join approval_decisions d using (approval_decision_id)
-- Decisions about a sample are never in the files.
left join of_samples s using (approval_decision_id)
where approval_decision_id is not null and d.approval_decision_id is null and s.approval_decision_id is null
order by all;
