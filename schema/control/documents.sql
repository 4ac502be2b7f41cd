-- The documents that approved value entries of initiatives that are not samples cite, per kind and format: their number, and
-- a fingerprint of their ids and titles. A withheld title counts as empty.
select
  d.kind,
  d.format,
  count(*) as rows,
  sum(('x' || left(md5(concat_ws(chr(31),
    d.id, case when d.kind in ('sow', 'contract') then '' else d.title end
  )), 15))::bit(60)::bigint) as fingerprint
from ledger.documents d
where d.account_id = :account_id
  and d.id in (
    select c.document_id
    from ledger.document_citations c
    join ledger.value_entries v on v.account_id = c.account_id and v.id = c.value_entry_id and v.status = 'approved'
    where c.account_id = :account_id
      and not exists (
        select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample))
group by d.kind, d.format
order by d.kind collate "C", d.format collate "C"
