-- If schema.json lists the values of a column, the column has no other value.
with counted as (
:each
  select table_name, column_name, content, count(*) as rows
  from (select ':table' as table_name, unnest([:listed_names]) as column_name, unnest([:listed]) as content from :table)
  where content is not null group by all
:end
)
select table_name as subject, 'in ' || rows || ' rows' as place, column_name as figure,
  'one of ' || array_to_string(allowed, ', ') as expected, content as found, 'schema.json lists the values' as rule
from counted join declared_columns using (table_name, column_name)
where not coalesce(list_contains(allowed, content), false)
order by all;
