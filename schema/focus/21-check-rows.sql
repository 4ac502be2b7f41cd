-- Each row agrees with its entry in `costs`. The charge of a cost without a period is dated on its booking day. First, digests
-- of stretches of 8192 ids are compared. Then rows are compared one by one in the first three stretches that differ, because
-- a join of all rows would not fit into memory. A text is blank if it has only blanks (U+0020), as in PostgreSQL: without its
-- second argument, DuckDB's trim strips every white space of Unicode.
set variable reads = ['focus/focus', 'costs'];
create or replace temp view found_rows as
select x_CostEntryId as id, x_CostEntryId // 8192 as stretch,
  {BilledCost: BilledCost, ContractedCost: ContractedCost, EffectiveCost: EffectiveCost, ListCost: ListCost,
    BillingCurrency: BillingCurrency, x_InitiativeId: x_InitiativeId, x_Locked: x_Locked, x_Undated: x_Undated, x_UsdRate: x_UsdRate,
    ChargePeriodStart: epoch_us(ChargePeriodStart), ChargePeriodEnd: epoch_us(ChargePeriodEnd),
    BillingPeriodStart: epoch_us(BillingPeriodStart), BillingPeriodEnd: epoch_us(BillingPeriodEnd),
    ChargeCategory: ChargeCategory, ChargeFrequency: ChargeFrequency, ChargeClass: ChargeClass, InvoiceId: InvoiceId,
    PricingQuantity: PricingQuantity, PricingUnit: PricingUnit, ProviderName: ProviderName, PublisherName: PublisherName,
    InvoiceIssuerName: InvoiceIssuerName, ServiceName: ServiceName, ServiceCategory: ServiceCategory,
    ServiceSubcategory: ServiceSubcategory, ChargeDescription: ChargeDescription} as cells
from focus;
create or replace temp view expected_rows as
select id, stretch,
  {BilledCost: amount, ContractedCost: amount, EffectiveCost: amount, ListCost: amount,
    BillingCurrency: currency, x_InitiativeId: initiative_id, x_Locked: locked, x_Undated: period_start is null,
    x_UsdRate: if(currency = 'USD', 1::double, usd_rate),
    ChargePeriodStart: midnight(first_day), ChargePeriodEnd: midnight(final_day + 1),
    BillingPeriodStart: midnight(date_trunc('month', first_day)::date), BillingPeriodEnd: midnight(last_day(first_day) + 1),
    ChargeCategory: if(amount < 0, 'Credit', 'Usage'), ChargeFrequency: if(recurring_cost_id is null, 'One-Time', 'Recurring'),
    ChargeClass: null::varchar, InvoiceId: null::varchar, PricingQuantity: 1::decimal(18, 2), PricingUnit: 'Units',
    ProviderName: vendor, PublisherName: vendor, InvoiceIssuerName: vendor, ServiceName: cost_type, ServiceCategory: category,
    ServiceSubcategory: 'Other (' || category || ')',
    ChargeDescription: if(trim(description, ' ') <> '', description, cost_type)} as cells
from (
  select *, cost_entry_id as id, cost_entry_id // 8192 as stretch, (amount_cents::decimal(18, 0) * 0.01::decimal(3, 2))::decimal(18, 2) as amount,
    coalesce(utc_day(period_start), utc_day(created_at)) as first_day,
    -- A cost without a first day has no period, so its last day does not count.
    coalesce(utc_day(if(period_start is null, null, period_end)), utc_day(period_start), utc_day(created_at)) as final_day,
    coalesce(vendor_name, 'Not recorded') as vendor,
    if(cost_type in ('software', 'tokens'), 'AI and Machine Learning', 'Other') as category
  from costs
);
create or replace temp table differing as
select stretch
from (select stretch, count(*) as rows, sum(hash(cells)) as digest from expected_rows group by stretch) e
full join (select stretch, count(*) as rows, sum(hash(cells)) as digest from found_rows group by stretch) f using (stretch)
where e.rows is distinct from f.rows or e.digest is distinct from f.digest
order by stretch limit 3;
select 'focus' as subject, 'x_CostEntryId ' || coalesce(e.id, f.id) as place, 'the row' as figure,
  said(e.cells) as expected, said(f.cells) as found, 'costs has the same entry' as rule
from (from expected_rows semi join differing using (stretch)) e
full join (from found_rows semi join differing using (stretch)) f on f.id = e.id
where e.id is null or f.id is null or e.cells is distinct from f.cells
order by all;
