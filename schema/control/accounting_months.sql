-- The months for which a close was started. An entry is locked if and only if its month is in this list with the status
-- `locked`.
select
  m.month::text as month,
  m.status,
  (extract(epoch from m.locked_at) * 1000000)::bigint as locked_at,
  m.locked_by_id,
  (extract(epoch from m.reopened_at) * 1000000)::bigint as reopened_at,
  m.reopened_by_id,
  md5(m.reopen_reason) as reason_digest
from ledger.accounting_months m
where m.account_id = :account_id
order by m.month
