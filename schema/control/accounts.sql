-- Facts of the account that all tables use: its fiscal year, its contribution margin for planned revenue, the URL of its
-- application. An account without a URL of its own uses the URL of the build's session (APP_URL, else BASE_URL). This rule
-- is repeated here, because the tables take the URL from service.app_url, and the audit must not rely on that function.
select
  a.id,
  md5(a.name) as name_digest,
  a.fiscal_year_start_month,
  a.contribution_margin,
  coalesce(a.app_url, nullif(current_setting('app.app_url', true), '')) as app_url
from ledger.accounts a
where a.id = :account_id
