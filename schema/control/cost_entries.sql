-- The costs of initiatives that are not samples, per currency: their number and sums, how often each column is filled, and
-- a fingerprint of all columns that are copied unchanged.
select
  c.currency::text as currency,
  :figures,
  :fingerprint as fingerprint
from ledger.cost_entries c
where c.account_id = :account_id
  and not exists (
    select from ledger.initiatives i where i.account_id = c.account_id and i.id = c.initiative_id and i.is_sample)
group by c.currency
order by c.currency collate "C"
