select
  :generated_at as generated_at,
  :as_of as as_of,
  a.id as account_id,
  a.name as account_name,
  a.fiscal_year_start_month,
  (select count(*)::int4 from ledger.initiatives i where i.account_id = a.id and i.is_sample) as sample_initiatives_excluded
from ledger.accounts a
where a.id = :account_id
order by a.id
