-- What the account settles for every table: its fiscal year, the margin of planned revenue, where its pages live. An account
-- without an application of its own has its pages in the application of the build's session (APP_URL, else BASE_URL).
-- Written out here: the links of the tables come from service.app_url, and the audit must not believe that function.
select
  a.id,
  md5(a.name) as name_digest,
  a.fiscal_year_start_month,
  a.contribution_margin,
  coalesce(a.app_url, nullif(current_setting('app.app_url', true), '')) as app_url
from ledger.accounts a
where a.id = :account_id
