-- The last log entry that any server or build has seen and checked, of each account in each object store. A store that
-- was emptied or put back shows an older log: it is refused until a person accepts it, which begins a new generation.
create table ops.seen_heads (
  account_id bigint not null references ledger.accounts (id) on delete cascade deferrable,
  -- Where the store is, as OBJECT_STORE names it.
  store text not null,
  generation bigint not null check (generation >= 0),
  -- The number of the entry; 0 once an empty log was accepted.
  seq bigint not null check (seq >= 0),
  entry_sha256 text not null check (entry_sha256 ~ '^[0-9a-f]{64}$'),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (account_id, store)
);
grant select, insert, update, delete on ops.seen_heads to cf_service;
grant select on ops.seen_heads to cf_backup;
