-- The people of the account, past ones too: the digest of their name, which may not be known.
select u.id, md5(u.name) as name_digest
from ledger.users u
where u.id in (select m.user_id from ledger.memberships m where m.account_id = :account_id)
order by u.id
