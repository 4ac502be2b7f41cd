/** The columns of the exports of providers, as their public schemas list them. */

const FOCUS_1_0 = `AvailabilityZone BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd
  BillingPeriodStart ChargeCategory ChargeClass ChargeDescription ChargeFrequency ChargePeriodEnd ChargePeriodStart
  CommitmentDiscountCategory CommitmentDiscountId CommitmentDiscountName CommitmentDiscountStatus CommitmentDiscountType
  ConsumedQuantity ConsumedUnit ContractedCost ContractedUnitPrice EffectiveCost InvoiceIssuerName ListCost ListUnitPrice
  PricingCategory PricingQuantity PricingUnit ProviderName PublisherName RegionId RegionName ResourceId ResourceName ResourceType
  ServiceCategory ServiceName SkuId SkuPriceId SubAccountId SubAccountName Tags`;
const SINCE_1_1 = `CapacityReservationId CapacityReservationStatus CommitmentDiscountQuantity CommitmentDiscountUnit
  ServiceSubcategory SkuMeter SkuPriceDetails`;
const SINCE_1_2 = `BillingAccountType InvoiceId PricingCurrency PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost
  PricingCurrencyListUnitPrice SubAccountType`;

const words = (...lists: readonly string[]): readonly string[] => lists.join(' ').split(/\s+/);

export const PROVIDER_COLUMNS = {
  /** https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-focus-1-0-aws-columns.html */
  'AWS 1.0': words(FOCUS_1_0, 'x_CostCategories x_Discounts x_Operation x_ServiceCode x_UsageType'),
  /** https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-focus-1-2-aws.html */
  'AWS 1.2': words(FOCUS_1_0, SINCE_1_1, SINCE_1_2, 'x_Discounts x_Operation x_ServiceCode'),
  /** https://learn.microsoft.com/azure/cost-management-billing/dataset-schema/cost-usage-details-focus */
  'Azure 1.0': words(
    FOCUS_1_0.replace('AvailabilityZone ', ''),
    `BillingAccountType SubAccountType x_AccountId x_AccountName x_AccountOwnerId x_BilledCostInUsd x_BilledUnitPrice
    x_BillingAccountId x_BillingAccountName x_BillingExchangeRate x_BillingExchangeRateDate x_BillingProfileId
    x_BillingProfileName x_ContractedCostInUsd x_CostAllocationRuleName x_CostCenter x_CustomerId x_CustomerName
    x_EffectiveCostInUsd x_EffectiveUnitPrice x_InvoiceId x_InvoiceIssuerId x_InvoiceSectionId x_InvoiceSectionName
    x_ListCostInUsd x_PartnerCreditApplied x_PartnerCreditRate x_PricingBlockSize x_PricingCurrency x_PricingSubcategory
    x_PricingUnitDescription x_PublisherCategory x_PublisherId x_ResellerId x_ResellerName x_ResourceGroupName x_ResourceType
    x_ServicePeriodEnd x_ServicePeriodStart x_SkuDescription x_SkuDetails x_SkuIsCreditEligible x_SkuMeterCategory
    x_SkuMeterId x_SkuMeterName x_SkuMeterSubcategory x_SkuOfferId x_SkuOrderId x_SkuOrderName x_SkuPartNumber x_SkuRegion
    x_SkuServiceFamily x_SkuTerm x_SkuTier`,
  ),
  'Azure 1.2': words(
    FOCUS_1_0.replace('AvailabilityZone ', ''),
    SINCE_1_1,
    SINCE_1_2,
    'x_InvoiceSectionId x_ResourceGroupName x_SkuDescription x_SkuMeterCategory x_SkuMeterId x_SkuRegion x_SkuTier',
  ),
  /** The view that Google published for its detailed export: FOCUS 1.0 of August 2024. */
  'Google 1.0':
    words(`AvailabilityZone BilledCost BillingAccountId BillingCurrency BillingPeriodStart BillingPeriodEnd
    ChargeCategory ChargeClass ChargeDescription ChargePeriodStart ChargePeriodEnd CommitmentDiscountCategory
    CommitmentDiscountId CommitmentDiscountName ConsumedQuantity ConsumedUnit ContractedCost ContractedUnitPrice EffectiveCost
    ListCost ListUnitPrice PricingCategory PricingQuantity PricingUnit ProviderName PublisherName RegionId RegionName ResourceId
    ResourceName ResourceType ServiceCategory ServiceName SkuId SkuPriceId SubAccountId Tags x_Credits x_CostType
    x_CurrencyConversionRate x_ExportTime x_Location x_Project x_ServiceId`),
  /** https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/focus-export */
  'Google 1.2':
    words(`AvailabilityZone BilledCost BillingAccountId BillingCurrency BillingPeriodStart BillingPeriodEnd
    ChargeCategory ChargeClass ChargeDescription ChargePeriodStart ChargePeriodEnd ConsumedQuantity ConsumedUnit ContractedCost
    ContractedUnitPrice ListCost ListUnitPrice PricingCategory PricingQuantity PricingUnit ProviderName PublisherName RegionId
    RegionName ResourceId ResourceName ServiceName SkuId SkuPriceId SubAccountId SubAccountName x_Credits x_CostType
    x_CurrencyConversionRate x_ExportTime x_Location x_Project x_ServiceId x_SystemLabels x_Labels x_ProjectLabels x_Tags
    EffectiveCost PricingCurrency PricingCurrencyContractedUnitPrice PricingCurrencyEffectiveCost PricingCurrencyListUnitPrice
    BillingAccountType x_SubscriptionInstanceId x_PriceEffectivePriceDefault x_PriceListPriceConsumptionModel
    x_CostAtEffectivePriceDefault x_CostAtListConsumptionModel x_ConsumptionModelId x_ConsumptionModelDescription`),
} as const satisfies Readonly<Record<string, readonly string[]>>;
