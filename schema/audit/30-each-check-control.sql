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
), compared as (
  -- The ledger states a figure once. If it states two, both are shown, and the file's equals neither.
  select subject, place, name, max(in_file) as found,
    if(min(in_ledger) = max(in_ledger), min(in_ledger), min(in_ledger) || ' and ' || max(in_ledger)) as expected
  from (
    select subject, place, name, content as in_ledger, null as in_file from expected
    union all
    select subject, place, name, null, content from found)
  group by subject, place, name
)
select subject, place, name as figure, expected, found, 'the file holds what the ledger held' as rule
from compared where expected is distinct from found
order by subject, place, name = 'fingerprint', name;
