-- Columns that are nullable only because they were added or listed so, and that schema.json says are never empty.
select ':table' as subject, :place as place, ':never_empty_column' as figure, 'a value' as expected, null as found,
  'schema.json says that it is never empty' as rule
from :table where :never_empty_column is null
