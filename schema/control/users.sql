-- The present and past people of the account, each with the digest of the name. The digest is null if the name is unknown.
select u.id, md5(u.name) as name_digest
from ledger.users u
where u.id in (select m.user_id from ledger.memberships m where m.account_id = :account_id)
order by u.id
