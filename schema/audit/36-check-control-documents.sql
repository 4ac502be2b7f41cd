-- Reads value_supporting_documents. The rows are the pairs of entry and document that the ledger has, with their earliest
-- citation; documents are what the ledger says, and the title of a restricted one is withheld.
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
), broken as (
  select place, 'the ledger has ' || coalesce(expected.content, 'none') as expected,
    name || ' is ' || coalesce(found.content, 'none') as found
  from expected full join found using (place, name)
  where expected.content is distinct from found.content
  union all
  select 'value_entry_id ' || value_entry_id || ' document_id ' || document_id,
    if(kind in ('sow', 'contract'), 'it is restricted and its title withheld', 'it is open to all and has a title'),
    'restricted is ' || restricted || if(title is null, ' without', ' with') || ' a title'
  from value_supporting_documents
  where restricted <> (kind in ('sow', 'contract')) or restricted <> (title is null)
)
select 'value_supporting_documents' as subject, * from broken order by all;
