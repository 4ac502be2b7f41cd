-- How many delivered snapshots stay at a target, what was deleted there, and which failures were told.
alter table vault.delivery_targets add column keep integer check (keep > 0);
comment on column vault.delivery_targets.keep is 'How many delivered snapshots stay there; null: all';

-- By the clock of the target: an object with another time was replaced, and is no longer ours.
alter table ops.delivered_objects add column made_at bigint;
comment on column ops.delivered_objects.made_at is 'When the store of the target says that it was made, in microseconds since 1970';

alter table ops.snapshot_deliveries add column pruned_at timestamptz;
comment on column ops.snapshot_deliveries.pruned_at is 'When its objects were deleted, because later snapshots stay';

create function ops.delivery_keep(account bigint, target bigint) returns integer
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select t.keep from vault.delivery_targets t where t.account_id = account and t.id = target $$;

revoke execute on function ops.delivery_keep(bigint, bigint) from public;
grant execute on function ops.delivery_keep(bigint, bigint) to cf_service;
