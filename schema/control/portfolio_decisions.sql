-- The portfolio decisions per outcome and currency, without decisions about an initiative that was a sample then or is one
-- now: their number and sums, how often each column is filled, and a fingerprint of all columns that are copied unchanged.
select
  d.outcome,
  d.currency::text as currency,
  :figures,
  :fingerprint as fingerprint
from ledger.portfolio_decisions d
where d.account_id = :account_id and not (d.is_sample or exists (
  select from ledger.initiatives i where i.account_id = d.account_id and i.id = d.initiative_id and i.is_sample))
group by d.outcome, d.currency
order by d.outcome collate "C", d.currency collate "C"
