-- Each person in a row belongs to the account and has the name that the ledger has. A synced row has a connection, and
-- names its platform. `provenance` matches `source_type`. A books account exists in the ledger. The ledger's names are
-- known only as MD5 digests, so a finding cannot show the expected name.
set variable reads = [
  'initiatives', 'reported_value', 'metric_readings', 'costs', 'approval_decisions', 'budgets',
  'portfolio_decisions', 'accounting_periods'
];
with people as not materialized (
  select 'initiatives' as subject, 'initiative_id ' || initiative_id as place, 'owner' as role, owner_id as person,
    owner_name as person_name, null as source_type
  from initiatives
  union all
  select 'reported_value', 'value_entry_id ' || value_entry_id, 'recorded_by', recorded_by_id, recorded_by_name, source_type
  from reported_value
  union all
  select 'reported_value', 'value_entry_id ' || value_entry_id, 'approved_by', approved_by_id, approved_by_name, null
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, 'recorded_by', recorded_by_id, recorded_by_name, source_type from costs
  union all
  select 'metric_readings', 'observation_id ' || observation_id, 'recorded_by', recorded_by_id, recorded_by_name, source_type
  from metric_readings
  union all
  select 'approval_decisions', 'approval_decision_id ' || approval_decision_id, 'decided_by', decided_by_id, decided_by_name, null
  from approval_decisions
  union all
  select 'budgets', 'budget_id ' || budget_id, 'set_by', set_by_id, set_by_name, null from budgets
  union all
  select 'budgets', 'budget_id ' || budget_id, 'decided_by', decided_by_id, decided_by_name, null from budgets
  union all
  select 'portfolio_decisions', 'portfolio_decision_id ' || portfolio_decision_id, 'decided_by', decided_by_id, decided_by_name, null
  from portfolio_decisions
  union all
  select 'accounting_periods', 'month ' || month, 'locked_by', locked_by_id, locked_by_name, null from accounting_periods
  union all
  select 'accounting_periods', 'month ' || month, 'reopened_by', reopened_by_id, reopened_by_name, null from accounting_periods
), synced as not materialized (
  select 'reported_value' as subject, 'value_entry_id ' || value_entry_id as place, connection_id, platform, source_type
  from reported_value
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, connection_id, platform, source_type from costs
), platforms as (
  select
    max(content) filter (where name = 'key') as platform,
    max(content) filter (where name = 'name_digest') as name_digest
  from control where base_table = 'platforms' group by row
), books as (
  select content as name_digest from control where base_table = 'books_accounts' and name = 'name_digest'
), broken as (
  select subject, place, 'recorded_by_id' as figure, null as expected, person::varchar as found,
    'only what was entered, drafted or imported was recorded by a person, and its source_type is ' || source_type as rule
  from people where person is not null and source_type not in ('manual', 'assistant', 'csv')
  union all
  select subject, place, role || '_name', if(person is null, null, 'the name in the ledger'), if(person_name is null, null, 'another name'),
    'the name is that of the person in the ledger'
  from people left join control_users on control_users.id = person
  where md5(person_name) is distinct from name_digest
  union all
  select subject, place, role || '_id', 'a person of the account', person::varchar, null
  from people where person is not null and person not in (select id from control_users)
  union all
  select subject, place, 'platform', platform_key, platform, 'the platform is that of its connection'
  from synced left join control_connections on control_connections.id = connection_id
  where platform is distinct from platform_key
  union all
  select subject, place, 'connection_id', 'a connection', null, 'a synced row has a connection'
  from synced where source_type = 'integration' and connection_id is null
  union all
  select 'reported_value', 'value_entry_id ' || value_entry_id, 'provenance', 'that of source_type ' || source_type, provenance,
    'provenance says what the source says'
  from reported_value left join platforms using (platform)
  where case source_type
    when 'integration' then provenance not like 'Synced from %' or md5(substr(provenance, 13)) is distinct from name_digest
    when 'calculated' then provenance is distinct from 'Calculated by ' || formula_name
    when 'assistant' then provenance <> 'Recorded by the assistant'
    when 'csv' then provenance <> 'Imported from CSV'
    else provenance <> 'Entered by hand' end
  union all
  select 'costs', 'cost_entry_id ' || cost_entry_id, 'books_account_name', 'an account of the books', books_account_name, null
  from costs where books_account_name is not null and md5(books_account_name) not in (select name_digest from books)
)
from broken order by all;
