-- From these columns follows until when the figures of a time study are valid: the study's last day, and the number of
-- months after which it must be repeated.
select s.id, s.ended_on::text as ended_on, s.restudy_months
from ledger.time_studies s
where s.account_id = :account_id
order by s.id
