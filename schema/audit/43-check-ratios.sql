-- The ratio is net value divided by cost, if cash value and cost are above zero.
set variable reads = ['reported_value', 'costs', 'reported_totals'];
select
  'reported_totals' as subject,
  place,
  'roi' as figure,
  expected.roi::varchar as expected,
  found.roi::varchar as found,
  'it is net value over cost, where cash value and cost are above zero' as rule
from compared_totals
where expected.window_key is not null and found.window_key is not null and expected.roi is distinct from found.roi
order by place;
