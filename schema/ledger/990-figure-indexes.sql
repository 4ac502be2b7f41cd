-- All that figures are made of, by initiative and month, so that they are added up without reading the rows, which are far
-- longer. Each index takes the place of one of the same beginning, which served whoever names an initiative.

create index cost_entries_sums on ledger.cost_entries (account_id, initiative_id, booked_month)
  include (period_start, usd_amount_cents, cost_category);
drop index ledger.cost_entries_initiative_period;

create index value_entries_sums on ledger.value_entries (account_id, initiative_id, period_month)
  include (period_start, entry_type, usd_amount_cents, currency, usd_rate, vendor_price_effect_cents)
  where status = 'approved';
drop index ledger.value_entries_initiative_period;

-- Of capacity alone each month of an initiative is looked at by itself.
create index value_entries_capacity on ledger.value_entries (account_id, initiative_id, period_month)
  include (period_start, entry_type, usd_amount_cents)
  where status = 'approved' and entry_type in ('capacity', 'capacity_realized');

-- What is in no dollar sum, or in one at a provisional rate, is stated beside every figure.
drop index ledger.cost_entries_unconverted;
create index cost_entries_unconverted on ledger.cost_entries (account_id, currency)
  include (initiative_id, period_start, amount_cents, usd_amount_cents, usd_rate_provisional)
  where currency <> 'USD' and (usd_amount_cents is null or usd_rate_provisional);
drop index ledger.value_entries_unconverted;
create index value_entries_unconverted on ledger.value_entries (account_id, currency)
  include (initiative_id, period_start, amount_cents, usd_amount_cents, entry_type, status)
  where currency <> 'USD' and usd_amount_cents is null;
