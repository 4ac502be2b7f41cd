-- Entries whose dollar figure is missing or provisional. If it is missing, the entry is in no dollar sum, and its amount is
-- here in its own currency. A cost is provisional if the latest rate is used until its period's rate is known; its amount is
-- here in dollars. Cash value and freed capacity are never added, so each is a kind of its own. `currency <> 'USD'` is
-- redundant, but lets PostgreSQL use the partial indexes of unconverted entries.
create view reporting.unsettled_amounts with (security_invoker = true) as
select
  v.account_id,
  v.initiative_id,
  i.is_sample,
  v.period_start::date as day,
  case v.entry_type when 'capacity' then 'capacity_left_out' else 'cash_left_out' end as kind,
  v.currency::text as currency,
  v.amount_cents::bigint as amount_cents
from ledger.value_entries v
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
where v.status = 'approved' and v.currency <> 'USD' and v.usd_amount_cents is null
union all
select
  c.account_id,
  c.initiative_id,
  i.is_sample,
  c.period_start::date,
  'cost_left_out',
  c.currency::text,
  c.amount_cents::bigint
from ledger.cost_entries c
join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
where c.currency <> 'USD' and c.usd_amount_cents is null
union all
select
  c.account_id,
  c.initiative_id,
  i.is_sample,
  c.period_start::date,
  'provisional_cost',
  'USD',
  c.usd_amount_cents::bigint
from ledger.cost_entries c
join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id
where c.currency <> 'USD' and c.usd_rate_provisional;
