-- Reads reported_value. Nobody approves automatically, and a person who approved did so at a time.
select
  'reported_value' as subject,
  'value_entry_id ' || value_entry_id as place,
  'auto is by nobody, and neither a person nor auto is without a time' as expected,
  'it is ' || approval_source || ' by ' || said(approved_by_id) || ' at ' || said(make_timestamp(epoch_us(approved_at))) as found
from reported_value
where (approval_source = 'auto' and approved_by_id is not null)
  or (approved_at is null and (approval_source = 'auto' or approved_by_id is not null))
order by value_entry_id;
