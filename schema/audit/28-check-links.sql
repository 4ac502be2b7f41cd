-- Reads initiatives, reported_value, costs. A link leads to the account's own application, to the page of that record.
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
)
select subject, place, 'its page is ' || account.app_url || page as expected, 'app_url is ' || links.app_url as found
from links cross join control_account account
where links.app_url <> account.app_url || page
order by all;
