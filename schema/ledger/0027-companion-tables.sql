-- Whether the snapshots of an account hold the rows of the read API, which answer `snapshot_id`. Without them only `/roi` does.
alter table ledger.accounts add column companion_tables boolean not null default true;
