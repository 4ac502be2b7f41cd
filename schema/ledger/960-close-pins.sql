-- Since when an account wants its closes kept: the first snapshot that sees a month locked is pinned by itself. Null:
-- nobody asked for it. Months that were locked before are not pinned in retrospect.
alter table ledger.accounts add column close_pins_since ledger.instant;
