-- An observation goes with its initiative. One of the whole account has none, so it goes with its account by this key: then
-- `begin; set constraints all deferred; delete from ledger.accounts …; commit` removes every account whole.
alter table ledger.observations add constraint observations_account
  foreign key (account_id) references ledger.accounts (id) on delete cascade deferrable;
