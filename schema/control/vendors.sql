-- The vendors that AI spend may stand under: those flagged as AI, and those merged into another; by the digest of their
-- name, and whether an admin set them aside.
select v.id, md5(v.name) as name_digest, v.is_ai, v.merged_into_id, v.set_aside_at is not null as set_aside
from ledger.vendors v
where v.account_id = :account_id and (v.is_ai or v.merged_into_id is not null)
order by v.id
