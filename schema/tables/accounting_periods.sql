select
  month,
  status,
  locked,
  locked_at,
  locked_by_id,
  locked_by_name,
  reopened_at,
  reopened_by_id,
  reopened_by_name,
  reopen_reason
from reporting.accounting_months
where account_id = :account_id
order by month
