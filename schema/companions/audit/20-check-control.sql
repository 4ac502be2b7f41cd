-- Each companion has the rows that the ledger's base tables held. Compared are the number of rows and the sums of ids, of
-- times of change and of amounts.
set variable reads = ['companions/api_initiatives', 'companions/api_cost_entries', 'companions/api_value_entries',
  'companions/api_metrics', 'companions/api_observations', 'companions/api_decisions', 'companions/api_integrations',
  'companions/api_ai_usage', 'companions/api_vendor_names'];
with lists as (
  select 'api_initiatives' as name, count(*) as rows, sum(id) as ids, sum(epoch_us(updated_at)) as changes, 0 as amount_cents
  from api_initiatives
  union all
  select 'api_cost_entries', count(*), sum(id), sum(epoch_us(updated_at)), sum(amount_cents) from api_cost_entries
  union all
  select 'api_value_entries', count(*), sum(id), sum(epoch_us(updated_at)), sum(amount_cents) from api_value_entries
  union all
  select 'api_metrics', count(*), sum(id), sum(epoch_us(updated_at)), 0 from api_metrics
  union all
  select 'api_observations', count(*), sum(id), sum(epoch_us(updated_at)), 0 from api_observations
  union all
  select 'api_decisions', count(*), sum(id), sum(epoch_us(updated_at)), sum(cash_value_cents) from api_decisions
  union all
  select 'api_integrations', count(*), sum(id), sum(epoch_us(updated_at)), 0 from api_integrations
  union all
  select 'api_ai_usage', count(*), sum(id), sum(epoch_us(updated_at)), sum(cost_cents) from api_ai_usage
  union all
  select 'api_vendor_names', count(*), sum(vendor_id), 0, 0 from api_vendor_names
), found as (
  unpivot (
    select name as list, rows::varchar as rows, coalesce(ids, 0)::varchar as ids, coalesce(changes, 0)::varchar as changes,
      coalesce(amount_cents, 0)::varchar as amount_cents
    from lists where rows > 0
  ) on columns(* exclude (list)) into name name value content
), expected as (
  unpivot (select name as list, * exclude (name) from control_rows) on columns(* exclude (list)) into name name value content
)
select
  coalesce(expected.list, found.list) as subject,
  'the file' as place,
  coalesce(expected.name, found.name) as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found on expected.list = found.list and expected.name = found.name
where expected.content is distinct from found.content
order by all;
