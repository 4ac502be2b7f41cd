-- What each cost adds to which figure, in dollars: the one place that says so. A cost without a dollar figure adds nothing
-- and still opens its window, so its row is here.
create view reporting.cost_amounts with (security_invoker = true) as
select
  c.account_id,
  c.initiative_id,
  i.is_sample,
  c.period_start::date as day,
  -- The stored month is that of the period, where there is one: not worked out again for each of a million costs.
  case when c.period_start is not null then c.booked_month end as month,
  case when c.cost_category = 'capex' then coalesce(c.usd_amount_cents, 0) else 0 end as capex_cents,
  case when c.cost_category = 'opex' then coalesce(c.usd_amount_cents, 0) else 0 end as opex_cents
from ledger.cost_entries c
join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id;
