-- The cents of each row of usage: its exact cost, rounded so that the rows of a bill add up to the bill. They are stored,
-- because a page of a list cannot work them out from all rows of its bills.
alter table ledger.usage add column cost_cents ledger.cents;
alter table ledger.usage drop constraint usage_cost_of_bill;
alter table ledger.usage add constraint usage_cost_of_bill
  check (load_ref is null or num_nonnulls(cost_cents, billed_cost, effective_cost, list_cost, priced_cost) = 0);
comment on constraint usage_cost_of_bill on ledger.usage is 'no cost: the bill has it; leave the columns of costs out';
comment on column ledger.usage.cost_cents is 'The billed cost in cents; the rows of a bill add up to it';
create index usage_changes on ledger.usage (account_id, updated_at, id);
