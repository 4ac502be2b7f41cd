-- The bills that cannot be in AI spend: bills without a dollar figure, and card charges in another currency than dollars. Their
-- number and sum, per table, vendor and currency.
select 'card_charges' as bills, c.vendor_id, c.currency::text as currency, count(*) as rows, sum(c.amount_cents) as amount_cents
from ledger.card_charges c
where c.account_id = :account_id and c.currency <> 'USD' and c.vendor_id is not null
group by c.vendor_id, c.currency
union all
select 'provider_bills', null, b.currency::text, count(*), sum(b.amount_cents)
from ledger.provider_bills b
where b.account_id = :account_id and b.usd_amount_cents is null
group by b.currency
union all
select 'vendor_bills', b.vendor_id, b.currency::text, count(*), sum(b.amount_cents)
from ledger.vendor_bills b
where b.account_id = :account_id and b.usd_amount_cents is null
group by b.vendor_id, b.currency
order by bills, vendor_id, currency
