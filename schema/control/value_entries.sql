-- The value entries of initiatives that are not samples, per status, currency and type: their number and sums, how often each
-- column is filled, and a fingerprint of all columns that are copied unchanged. The reporting tables have only approved
-- entries. A draft may have no currency and no type.
select
  v.status,
  v.currency::text as currency,
  v.entry_type,
  :figures,
  :fingerprint filter (where v.status = 'approved') as fingerprint
from ledger.value_entries v
where v.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = v.account_id and i.id = v.initiative_id and i.is_sample)
group by v.status, v.currency, v.entry_type
order by v.status collate "C", v.currency collate "C", v.entry_type collate "C"
