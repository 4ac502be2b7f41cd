-- The connections and vendors that are linked to an initiative, also if that initiative is a sample.
select distinct l.connection_id, l.vendor_id
from ledger.ai_spend_links l
where l.account_id = :account_id
order by l.connection_id, l.vendor_id
