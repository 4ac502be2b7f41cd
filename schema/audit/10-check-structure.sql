-- The columns have the declared names, order and types, and only nullable columns may be empty.
set variable reads = (select list(distinct table_name) from declared_columns);
with found as (
  select table_name, ordinal, column_name || ' ' || type || if(nullable, '', ' not null') as written from file_columns
), declared as (
  select table_name, ordinal, column_name || ' ' || case kind
      when 'integer' then 'INTEGER' when 'number' then 'DOUBLE' when 'boolean' then 'BOOLEAN' when 'date' then 'DATE'
      when 'timestamp' then 'TIMESTAMP WITH TIME ZONE' when 'id' then 'BIGINT' when 'cents' then 'BIGINT'
      else 'VARCHAR'
    end || if(nullable, '', ' not null') as written
  from declared_columns
)
select
  table_name as subject,
  'column ' || ordinal as place,
  'column' as figure,
  declared.written as expected,
  found.written as found,
  'schema.json declares the columns' as rule
from declared full join found using (table_name, ordinal)
where declared.written is distinct from found.written
order by subject, ordinal;
