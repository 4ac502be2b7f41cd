-- Reads reported_value, costs, reported_totals. The ratio is net value over cost, where cash value and cost are above zero.
select
  'reported_totals' as subject,
  place,
  'the rows give ' || said(expected.roi) as expected,
  'roi is ' || said(found.roi) as found
from compared_totals
where expected.window_key is not null and found.window_key is not null and expected.roi is distinct from found.roi
order by place;
