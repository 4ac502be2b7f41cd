-- The dollars that each cost adds to each figure. Only this view decides that. A cost without a dollar figure adds nothing,
-- but has a row here: it still makes its window exist.
create view reporting.cost_amounts with (security_invoker = true) as
select
  c.account_id,
  c.initiative_id,
  i.is_sample,
  c.period_start::date as day,
  -- The month of the period's first day. Null for a cost without a period, because its booked_month comes from created_at.
  case when c.period_start is not null then c.booked_month end as month,
  case when c.cost_category = 'capex' then coalesce(c.usd_amount_cents, 0) else 0 end as capex_cents,
  case when c.cost_category = 'opex' then coalesce(c.usd_amount_cents, 0) else 0 end as opex_cents
from ledger.cost_entries c
join ledger.initiatives i on i.account_id = c.account_id and i.id = c.initiative_id;
