select
  value_entry_id,
  document_id,
  initiative_id,
  kind,
  restricted,
  title,
  format,
  cited_at,
  app_url
from reporting.supporting_documents
where account_id = :account_id and status = 'approved' and not is_sample
order by value_entry_id, document_id
