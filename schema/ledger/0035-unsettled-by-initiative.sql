-- After a change, `/roi` reads the amounts without a dollar figure of the changed initiatives alone. The indexes of these
-- amounts began with the currency, so all such amounts of the account had to be read.
drop index ledger.cost_entries_unconverted;
create index cost_entries_unconverted on ledger.cost_entries (account_id, initiative_id)
  include (currency, period_start, amount_cents, usd_amount_cents, usd_rate_provisional)
  where currency <> 'USD' and (usd_amount_cents is null or usd_rate_provisional);
drop index ledger.value_entries_unconverted;
create index value_entries_unconverted on ledger.value_entries (account_id, initiative_id)
  include (currency, period_start, amount_cents, usd_amount_cents, entry_type, status)
  where currency <> 'USD' and usd_amount_cents is null;
