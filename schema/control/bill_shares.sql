-- The bills of which a share is mapped to an initiative, also if that initiative is a sample.
select distinct s.provider_bill_id, s.vendor_bill_id
from ledger.bill_shares s
where s.account_id = :account_id
order by s.provider_bill_id, s.vendor_bill_id
