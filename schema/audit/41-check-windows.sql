-- reported_totals has exactly the windows that follow from the entries, with their dates and names.
set variable reads = ['reported_value', 'costs', 'reported_totals'];
select 'reported_totals' as subject, place, 'rows' as figure, '1' as expected, '0' as found, 'the entries require the window' as rule
from compared_totals where found.window_key is null
union all
select 'reported_totals', place, 'rows', '0', '1', 'the entries do not require the window'
from compared_totals where expected.window_key is null
union all
select 'reported_totals', place, 'window_kind, window_label, from_date, through_date and window_complete',
  concat_ws(' ', expected.window_kind, expected.window_label, said(expected.from_date), expected.through_date,
    if(expected.window_complete, 'complete', 'incomplete')),
  concat_ws(' ', found.window_kind, found.window_label, said(found.from_date), said(found.through_date),
    if(found.window_complete, 'complete', 'incomplete')),
  'the window follows from the entries and the fiscal year'
from compared_totals
where expected.window_key is not null and found.window_key is not null
  and (expected.window_kind, expected.window_label, expected.from_date, expected.through_date, expected.window_complete)
    is distinct from (found.window_kind, found.window_label, found.from_date, found.through_date, found.window_complete)
order by all;
