-- The vendors that AI spend can belong to: vendors flagged as AI, and vendors merged into another vendor. Each has the digest
-- of its name, and states whether an admin set the vendor aside.
select v.id, md5(v.name) as name_digest, v.is_ai, v.merged_into_id, v.set_aside_at is not null as set_aside
from ledger.vendors v
where v.account_id = :account_id and (v.is_ai or v.merged_into_id is not null)
order by v.id
