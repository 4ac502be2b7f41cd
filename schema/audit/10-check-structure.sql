-- The columns have the declared names, order and types, and only nullable columns may be empty.
set variable reads = (select list(distinct table_name) from declared_columns);
with written as (
  select table_name, ordinal, null as declared, column_name || ' ' || type || if(nullable, '', ' not null') as in_file
  from file_columns
  union all
  select table_name, ordinal, column_name || ' ' || case kind
      when 'integer' then 'INTEGER' when 'number' then 'DOUBLE' when 'boolean' then 'BOOLEAN' when 'date' then 'DATE'
      when 'timestamp' then 'TIMESTAMP WITH TIME ZONE' when 'id' then 'BIGINT' when 'cents' then 'BIGINT'
      else 'VARCHAR'
    end || if(nullable, '', ' not null'), null
  from declared_columns
), compared as (
  select table_name, ordinal, max(declared) as expected, max(in_file) as found from written group by table_name, ordinal
)
select table_name as subject, 'column ' || ordinal as place, 'column' as figure, expected, found,
  'schema.json declares the columns' as rule
from compared where expected is distinct from found
order by subject, ordinal;
