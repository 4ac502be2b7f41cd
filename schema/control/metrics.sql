-- The metrics, each with its canonical key and the digest of its name.
select m.id, m.metric_key, md5(m.name) as name_digest
from ledger.metrics m
where m.account_id = :account_id
order by m.id
