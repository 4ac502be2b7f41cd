-- Reads initiatives, reported_value, value_inputs, value_supporting_documents, costs, approval_decisions, budgets,
-- budget_vs_actual, reported_totals. What names an initiative, an entry, a budget or a decision names one that is there.
-- Decisions outlive what they were about, so what they name is not looked for.
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
)
select subject, place, 'it is in initiatives' as expected, 'initiative_id is ' || said(initiative_id) as found
from named anti join initiatives using (initiative_id)
union all
select 'reported_totals', window_key, 'a portfolio row has no initiative', 'initiative_id is ' || initiative_id
from reported_totals where scope = 'portfolio' and initiative_id is not null
union all
select subject, place, 'it is in reported_value, with that initiative',
  'it is value entry ' || value_entry_id || ' of initiative ' || initiative_id
from citing anti join reported_value using (value_entry_id, initiative_id)
union all
select 'budget_vs_actual', as_of || ' initiative ' || initiative_id, 'it is an approved budget of that initiative', 'budget_id is ' || budget_id
from budget_vs_actual anti join (from budgets where status = 'approved') using (budget_id, initiative_id)
union all
select 'budgets', 'budget_id ' || budget_id, 'it is in approval_decisions', 'approval_decision_id is ' || approval_decision_id
from (from budgets where approval_decision_id is not null)
anti join approval_decisions using (approval_decision_id)
-- Decided while it belonged to a sample: in no file for good.
anti join (
  select unnest(string_split(figures['sample_ids'], ' '))::bigint as approval_decision_id
  from control_rows where base_table = 'approval_decisions'
) using (approval_decision_id)
order by all;
