-- Facts of the account that all tables use: its fiscal year, the margin of planned revenue, the address of its pages. An
-- account without its own application uses that of the build's session (APP_URL, else BASE_URL). This rule is repeated here,
-- because the tables take it from service.app_url, and the audit must not rely on that function.
select
  a.id,
  md5(a.name) as name_digest,
  a.fiscal_year_start_month,
  a.contribution_margin,
  coalesce(a.app_url, nullif(current_setting('app.app_url', true), '')) as app_url
from ledger.accounts a
where a.id = :account_id
