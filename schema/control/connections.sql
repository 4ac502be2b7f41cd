-- The platform of each connection.
select c.id, c.platform_key
from ledger.connections c
where c.account_id = :account_id
order by c.id
