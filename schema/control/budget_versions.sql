-- The budget versions of initiatives that are not samples, per status and currency: their number and sums, how often each
-- column is filled, and a fingerprint of all columns that are copied unchanged.
select
  b.status,
  b.currency::text as currency,
  :figures,
  :fingerprint as fingerprint
from ledger.budget_versions b
where b.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = b.account_id and i.id = b.initiative_id and i.is_sample)
group by b.status, b.currency
order by b.status collate "C", b.currency collate "C"
