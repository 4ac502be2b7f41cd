-- The initiatives per currency of their plan, samples in rows of their own: their number, the sums of their plans, how often
-- each column is filled, and a fingerprint of all columns that are copied unchanged.
select
  i.is_sample,
  i.currency::text as currency,
  :figures,
  :fingerprint as fingerprint
from ledger.initiatives i
where i.account_id = :account_id
group by i.is_sample, i.currency
order by i.is_sample, i.currency collate "C"
