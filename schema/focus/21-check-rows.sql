-- Each row agrees with its entry in `costs`. An undated cost stands on its booking day.
set variable reads = ['focus/focus', 'costs'];
with charges as (
  select c.*, coalesce(utc_day(period_start), utc_day(created_at)) as first_day,
    coalesce(utc_day(period_end), utc_day(period_start), utc_day(created_at)) as last_day
  from costs c
), pairs as (
  select f.x_CostEntryId as id, c.cost_entry_id as other,
    ((f.BilledCost * 100)::bigint, (f.ContractedCost * 100)::bigint, (f.EffectiveCost * 100)::bigint, (f.ListCost * 100)::bigint,
      f.BillingCurrency, f.x_InitiativeId, f.x_Locked, f.x_Undated, f.x_UsdRate)::varchar as own,
    (c.amount_cents, c.amount_cents, c.amount_cents, c.amount_cents,
      c.currency, c.initiative_id, c.locked, c.period_start is null, if(c.currency = 'USD', 1, c.usd_rate))::varchar as its,
    (epoch_us(f.ChargePeriodStart), epoch_us(f.ChargePeriodEnd), epoch_us(f.BillingPeriodStart), epoch_us(f.BillingPeriodEnd),
      f.ChargeCategory, f.ChargeFrequency, f.ChargeClass, f.InvoiceId, f.PricingQuantity, f.PricingUnit)::varchar as own_period,
    (midnight(c.first_day), midnight(c.last_day + 1), midnight(date_trunc('month', c.first_day)::date),
      midnight((last_day(c.first_day) + 1)::date), if(c.amount_cents < 0, 'Credit', 'Usage'),
      if(c.recurring_cost_id is null, 'One-Time', 'Recurring'), null, null, 1.00::decimal(18, 2), 'Units')::varchar as its_period,
    (f.ProviderName, f.PublisherName, f.InvoiceIssuerName, f.ServiceName, f.ServiceCategory, f.ServiceSubcategory,
      f.ChargeDescription)::varchar as own_names,
    (c.vendor, c.vendor, c.vendor, c.cost_type, c.category, 'Other (' || c.category || ')',
      if(trim(c.description) <> '', c.description, c.cost_type))::varchar as its_names
  from focus f
  full join (
    select *, if(trim(vendor_name) <> '', vendor_name, 'Not recorded') as vendor,
      if(cost_type in ('software', 'tokens'), 'AI and Machine Learning', 'Other') as category
    from charges
  ) c on c.cost_entry_id = f.x_CostEntryId
)
select 'focus' as subject, 'x_CostEntryId ' || said(coalesce(id, other)) as place, figure, said(expected) as expected,
  said(found) as found, 'costs has the same entry' as rule
from (
  select id, other, unnest(['amounts', 'periods', 'names']) as figure, unnest([its, its_period, its_names]) as expected,
    unnest([own, own_period, own_names]) as found
  from pairs
  where id is null or other is null or own is distinct from its or own_period is distinct from its_period
    or own_names is distinct from its_names
)
where expected is distinct from found
order by all;
