-- What the account settles for every table: its fiscal year, the margin of planned revenue, where its pages live.
select
  a.id,
  md5(a.name) as name_digest,
  a.fiscal_year_start_month,
  a.contribution_margin,
  a.app_url
from ledger.accounts a
where a.id = :account_id
