-- The dollars that each approved value entry adds to each figure. Only this view decides that; all other code sums its rows.
-- An entry without a dollar figure adds nothing, but has a row here: it still makes its window exist.
create view reporting.approved_value_amounts with (security_invoker = true) as
select
  v.account_id,
  v.initiative_id,
  i.is_sample,
  v.period_start::date as day,
  v.period_month as month,
  v.entry_type in ('capacity', 'capacity_realized') as is_capacity,
  case when v.entry_type in ('revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity_realized')
    then coalesce(v.usd_amount_cents, 0) else 0 end as cash_value_cents,
  case when v.entry_type = 'capacity' then coalesce(v.usd_amount_cents, 0) else 0 end as capacity_cents,
  case when v.entry_type = 'capacity_realized' then coalesce(v.usd_amount_cents, 0) else 0 end as capacity_realized_cents,
  case
    when v.usd_amount_cents is null then null
    when v.currency = 'USD' then v.vendor_price_effect_cents
    else round(v.vendor_price_effect_cents * v.usd_rate)::bigint
  end as vendor_price_effect_cents
from ledger.value_entries v
join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
where v.status = 'approved';
