-- Until when each time study is good: its last day, and after how many months it is due again.
select s.id, s.ended_on::text as ended_on, s.restudy_months
from ledger.time_studies s
where s.account_id = :account_id
order by s.id
