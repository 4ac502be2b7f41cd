-- The pairs of value entry and cited document, for approved entries of initiatives that are not samples: the number of pairs,
-- and a fingerprint of the pairs, each with the time of its first citation.
select
  count(*) as rows,
  coalesce(sum(('x' || left(md5(concat_ws(chr(31),
    pair.value_entry_id, pair.document_id, (extract(epoch from pair.cited_at) * 1000000)::bigint
  )), 15))::bit(60)::bigint), 0) as fingerprint
from (
  select c.value_entry_id, c.document_id, min(c.cited_at) as cited_at
  from ledger.document_citations c
  where c.account_id = :account_id
    and exists (
      select from ledger.value_entries v
      where v.account_id = c.account_id and v.id = c.value_entry_id and v.status = 'approved'
        and not exists (
          select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample))
  group by c.value_entry_id, c.document_id
) as pair
