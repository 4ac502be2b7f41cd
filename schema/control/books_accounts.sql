-- The accounts of the books, by the digest of their name.
select b.id, md5(b.name) as name_digest
from ledger.books_accounts b
where b.account_id = :account_id
order by b.id
