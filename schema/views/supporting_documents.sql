-- Documents cited by value entries: one row per entry and document, with the time of the first citation. The title of a
-- restricted document is null for every token; people with access see it in the application.
create view reporting.supporting_documents with (security_invoker = true) as
select
  citation.account_id,
  citation.value_entry_id,
  citation.document_id,
  v.initiative_id,
  i.is_sample,
  v.status,
  document.kind,
  document.kind in ('sow', 'contract') as restricted,
  case when document.kind not in ('sow', 'contract') then document.title end as title,
  document.format,
  citation.cited_at,
  service.app_url(a.app_url) || '/initiatives/' || v.initiative_id || '/value/' || v.id as app_url
from (
  select account_id, value_entry_id, document_id, min(cited_at)::timestamptz as cited_at
  from ledger.document_citations
  group by account_id, value_entry_id, document_id
) as citation
join ledger.value_entries v on v.account_id = citation.account_id and v.id = citation.value_entry_id
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
join ledger.documents document on document.account_id = citation.account_id and document.id = citation.document_id
join ledger.accounts a on a.id = citation.account_id;
