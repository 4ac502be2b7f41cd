-- In each currency and month, the file and `costs` have the same sum, to the cent, and the same number of rows.
set variable reads = ['focus/focus', 'costs'];
with charged as (
  select BillingCurrency as currency, utc_day(BillingPeriodStart) as month, count(*) as entries,
    (sum(BilledCost) * 100)::hugeint as cents
  from focus group by all
), recorded as (
  select currency, coalesce(period_month, date_trunc('month', utc_day(created_at))::date) as month, count(*) as entries,
    sum(amount_cents) as cents
  from costs group by all
)
select 'focus' as subject, coalesce(r.currency, c.currency) || ' ' || coalesce(r.month, c.month) as place,
  'BilledCost and rows' as figure, concat_ws(' ', said(r.cents), said(r.entries)) as expected,
  concat_ws(' ', said(c.cents), said(c.entries)) as found, 'costs adds up to the same cents' as rule
from recorded r full join charged c on c.currency = r.currency and c.month = r.month
where r.cents is distinct from c.cents or r.entries is distinct from c.entries
order by all;
