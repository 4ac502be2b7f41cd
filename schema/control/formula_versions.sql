-- The versions of each formula, each with the digest of its name.
select v.id, v.formula_id, v.version, md5(v.name) as name_digest
from ledger.formula_versions v
where v.account_id = :account_id
order by v.id
