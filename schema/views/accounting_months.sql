-- Months for which a close was started, with the names of the people who locked and reopened them. A reopened month has the
-- status `reopened`; it keeps the time and the person of its last lock.
create view reporting.accounting_months with (security_invoker = true) as
select
  m.account_id,
  m.month::date as month,
  m.status,
  m.status = 'locked' as locked,
  m.locked_at::timestamptz as locked_at,
  m.locked_by_id,
  locker.name as locked_by_name,
  m.reopened_at::timestamptz as reopened_at,
  m.reopened_by_id,
  reopener.name as reopened_by_name,
  m.reopen_reason
from ledger.accounting_months m
left join ledger.users locker on locker.id = m.locked_by_id
left join ledger.users reopener on reopener.id = m.reopened_by_id;
