-- The accounts of the company's books, each with the digest of its name.
select b.id, md5(b.name) as name_digest
from ledger.books_accounts b
where b.account_id = :account_id
order by b.id
