-- The platform of each connection, the digest of its name, and whether an admin set it aside.
select c.id, c.platform_key, md5(c.name) as name_digest, c.set_aside_at is not null as set_aside
from ledger.connections c
where c.account_id = :account_id
order by c.id
