-- Each vendor of a cost has a name, and AI spend names vendors by the same names.
set variable reads = ['companions/api_vendor_names'];
select 'api_vendor_names' as subject, 'vendor_id ' || vendor_id as place, 'name' as figure, 'one' as expected, 'none' as found,
  'every vendor of a cost has a name' as rule
from (select distinct vendor_id from costs where vendor_id is not null)
where vendor_id not in (select vendor_id from api_vendor_names)
union all
select 'api_vendor_names', 'vendor ' || vendor_name, 'name', 'the name in ai_spend', 'none', 'ai_spend names vendors by these names'
from (select distinct vendor_name from ai_spend where vendor_name is not null)
where vendor_name not in (select name from api_vendor_names)
order by all;
