-- Some columns are nullable in the file, but schema.json declares them as never empty. They have a value in every row.
select ':table' as subject, :place as place, ':never_empty_column' as figure, 'a value' as expected, null as found,
  'schema.json declares this column as never empty' as rule
from :table where :never_empty_column is null
