-- The file equals the control totals of the ledger's table, for each group of its rows: rows, sums, counts of filled columns,
-- and a fingerprint of all columns that are copied unchanged.
with found as (
:each
  select ':table' as subject, place, name, content from (
    unpivot (
      select :group as place,
      :figures
      from :table
      group by :by)
    on columns(* exclude (place)) into name name value content)
:end
), expected as (
:each
  select ':table' as subject, place, entry.key as name, entry.value as content
  from (
    select :group_of_totals as place, unnest(map_entries(figures)) as entry
    from control_rows where base_table = ':base_table':only)
  where entry.key in (:figure_names)
:end
)
select
  subject,
  place,
  name as figure,
  expected.content as expected,
  found.content as found,
  'the file holds what the ledger held' as rule
from expected full join found using (subject, place, name)
where expected.content is distinct from found.content
order by subject, place, name = 'fingerprint', name;
