-- The locked months: an entry is locked exactly when its month is one of these.
select m.month::text as month
from ledger.accounting_months m
where m.account_id = :account_id and m.status = 'locked'
order by m.month
