-- There is one row for each pair of entry and document in the ledger, with the time of its first citation. Documents agree
-- with the ledger, and a restricted document has no title.
set variable reads = ['value_supporting_documents'];
with pairs as (
  select count(*)::varchar as rows,
    coalesce(sum(digest_bits(concat_ws(chr(31), value_entry_id, document_id, epoch_us(cited_at)))), 0)::varchar as fingerprint
  from value_supporting_documents
), totals as (
  select kind || ' ' || format as place, count(*)::varchar as rows,
    sum(digest_bits(concat_ws(chr(31), document_id, coalesce(title, ''))))::varchar as fingerprint
  from (select distinct document_id, kind, format, title from value_supporting_documents)
  group by kind, format
), found as (
  select 'citations' as place, name, content from (unpivot pairs on columns(*) into name name value content)
  union all
  select place, name, content from (unpivot totals on columns(* exclude (place)) into name name value content)
), expected as (
  select place, entry.key as name, entry.value as content
  from (
    select coalesce(figures['kind'] || ' ' || figures['format'], 'citations') as place, unnest(map_entries(figures)) as entry
    from control_rows where base_table in ('documents', 'document_citations'))
  where entry.key not in ('kind', 'format')
), compared as (
  -- The ledger states a figure once. If it states two, both are shown, and the file's equals neither.
  select place, name, max(in_file) as found,
    if(min(in_ledger) = max(in_ledger), min(in_ledger), min(in_ledger) || ' and ' || max(in_ledger)) as expected
  from (
    select place, name, content as in_ledger, null as in_file from expected
    union all
    select place, name, null, content from found)
  group by place, name
), broken as (
  select place, name as figure, expected, found, 'the file holds what the ledger held' as rule
  from compared where expected is distinct from found
  union all
  select 'value_entry_id ' || value_entry_id || ' document_id ' || document_id, 'restricted and title',
    if(kind in ('sow', 'contract'), 'true, no title', 'false, a title'), restricted || if(title is null, ', no title', ', a title'),
    'only the title of a restricted document is withheld'
  from value_supporting_documents
  where restricted <> (kind in ('sow', 'contract')) or restricted <> (title is null)
)
select 'value_supporting_documents' as subject, * from broken order by all;
