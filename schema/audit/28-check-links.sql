-- A link leads to the page of the record in the account's own application. A portfolio decision about a deleted initiative
-- has no link.
set variable reads = [
  'initiatives', 'reported_value', 'value_supporting_documents', 'costs', 'budgets', 'portfolio_decisions'
];
with links as (
  select 'initiatives' as subject, 'initiative_id ' || initiative_id as place, app_url, '/initiatives/' || initiative_id as page
  from initiatives
  union all
  select 'reported_value', 'value_entry_id ' || value_entry_id, app_url,
    '/initiatives/' || initiative_id || '/value/' || value_entry_id
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, app_url, '/initiatives/' || initiative_id || '/costs/' || cost_entry_id
  from costs
  union all
  select 'value_supporting_documents', 'value_entry_id ' || value_entry_id || ' document_id ' || document_id, app_url,
    '/initiatives/' || initiative_id || '/value/' || value_entry_id
  from value_supporting_documents
  union all
  select 'budgets', 'budget_id ' || budget_id, app_url, '/initiatives/' || initiative_id || '/budget/' || budget_id from budgets
  union all
  select 'portfolio_decisions', 'portfolio_decision_id ' || portfolio_decision_id, app_url,
    '/initiatives/' || initiative_id || '/decisions/' || portfolio_decision_id
  from portfolio_decisions
)
select subject, place, 'app_url' as figure, account.app_url || page as expected, links.app_url as found,
  'a link leads to the page of its record in the application of the account' as rule
from links cross join control_account account
where links.app_url is distinct from account.app_url || page
order by all;
