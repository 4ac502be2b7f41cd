-- A column whose values schema.json lists holds no other.
select ':table' as subject, 'in ' || rows || ' rows' as place, ':listed_column' as figure,
  'one of ' || array_to_string(allowed, ', ') as expected, content as found, 'schema.json lists the values' as rule
from (select :listed_column as content, count(*) as rows from :table where :listed_column is not null group by all)
join declared_columns on table_name = ':table' and column_name = ':listed_column'
where not coalesce(list_contains(allowed, content), false)
