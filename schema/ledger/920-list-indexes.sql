-- The lists of the read API: one index for each thing a list may be narrowed to, every one in the order of changes, so
-- that a page far from the beginning costs no more than the first.

create index connections_platform_changes on ledger.connections (account_id, platform_key, updated_at, id);
create index connections_status_changes on ledger.connections (account_id, status, updated_at, id);
create index portfolio_decisions_outcome_changes on ledger.portfolio_decisions (account_id, outcome, updated_at, id);

-- A range of days and the order of changes fit into no one index: a list of a range reads month by month, each in the
-- order of changes. The day stands last for a range that begins or ends within a month.
create index cost_entries_month_changes on ledger.cost_entries (account_id, booked_month, updated_at, id, period_start)
  where period_start is not null;
create index value_entries_month_changes on ledger.value_entries (account_id, period_month, updated_at, id, period_start);
-- What began with the same two columns is in the above.
drop index ledger.value_entries_month;
