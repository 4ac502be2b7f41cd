-- The metrics, by their canonical key and the digest of their name.
select m.id, m.metric_key, md5(m.name) as name_digest
from ledger.metrics m
where m.account_id = :account_id
order by m.id
