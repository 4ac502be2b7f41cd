-- The file has exactly the declared columns of FOCUS 1.2 and those that Crossfoot adds (`x_…`), each with its type.
set variable reads = ['focus/focus'];
with declared as (
  select unnest(string_split(names, ' ')) as name, type
  from (values
    ('BilledCost ContractedCost EffectiveCost ListCost PricingQuantity', 'DECIMAL(18,2)'),
    ('BillingAccountId BillingAccountName BillingCurrency ChargeCategory ChargeClass ChargeDescription ChargeFrequency', 'VARCHAR'),
    ('InvoiceId InvoiceIssuerName PricingUnit ProviderName PublisherName ServiceCategory ServiceName ServiceSubcategory', 'VARCHAR'),
    ('BillingPeriodEnd BillingPeriodStart ChargePeriodEnd ChargePeriodStart', 'TIMESTAMP WITH TIME ZONE'),
    ('x_CostEntryId x_InitiativeId', 'BIGINT'), ('x_Locked x_Undated', 'BOOLEAN'), ('x_SnapshotId', 'VARCHAR'), ('x_UsdRate', 'DOUBLE')
  ) as types (names, type)
), found as (
  select name, duckdb_type as type from parquet_schema('focus/focus.parquet') where column_id > 0
)
select 'focus' as subject, 'column ' || coalesce(declared.name, found.name) as place, 'type' as figure,
  said(declared.type) as expected, said(found.type) as found, 'the file has the columns of FOCUS 1.2' as rule
from declared full join found on found.name = declared.name
where declared.type is distinct from found.type
order by all;
