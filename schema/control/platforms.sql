-- The platforms, each with the digest of the name that the column `provenance` contains. They are the same for every account.
select p.key, md5(p.name) as name_digest
from ledger.platforms p
order by p.key collate "C"
