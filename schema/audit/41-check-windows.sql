-- Reads reported_value, costs, reported_totals. The windows are exactly those that the entries call for, each with its
-- dates and its name.
select 'reported_totals' as subject, place, 'the entries call for it' as expected, 'the row is missing' as found
from compared_totals where found.window_key is null
union all
select 'reported_totals', place, 'the entries call for none', 'there is a row'
from compared_totals where expected.window_key is null
union all
select 'reported_totals', place,
  'the window is ' || concat_ws(' ', expected.window_kind, expected.window_label, said(expected.from_date), expected.through_date,
    if(expected.window_complete, 'complete', 'incomplete')),
  'it is ' || concat_ws(' ', found.window_kind, found.window_label, said(found.from_date), said(found.through_date),
    if(found.window_complete, 'complete', 'incomplete'))
from compared_totals
where expected.window_key is not null and found.window_key is not null
  and (expected.window_kind, expected.window_label, expected.from_date, expected.through_date, expected.window_complete)
    is distinct from (found.window_kind, found.window_label, found.from_date, found.through_date, found.window_complete)
order by all;
