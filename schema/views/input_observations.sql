-- The observations on which value entries are based. The ids come from a column of the entry, because parsing the entry's JSON
-- for each read would be slow.
create view reporting.input_observations with (security_invoker = true) as
select v.account_id, v.id as value_entry_id, v.status, i.is_sample, used.observation_id
from ledger.value_entries v
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
cross join lateral unnest(v.input_observation_ids) as used (observation_id);
