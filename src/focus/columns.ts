/**
 * The columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification), the version that our export claims. Every provider
 * must have the mandatory columns. A conditional column is required only from a provider that supports what it describes.
 */

/** The version that the export claims; the package of the FOCUS validator has the rules of this version. */
export const FOCUS_VERSION = '1.2';

type FocusType = 'string' | 'decimal' | 'datetime' | 'json';
type FocusLevel = 'mandatory' | 'conditional' | 'recommended';

export interface FocusColumn {
  readonly type: FocusType;
  readonly level: FocusLevel;
  /** True if a cell may be empty. */
  readonly nullable: boolean;
  /** All values of the column, if the specification lists them. */
  readonly values?: readonly string[];
}

const must = (type: FocusType, values?: readonly string[]): FocusColumn => ({
  type,
  level: 'mandatory',
  nullable: false,
  ...(values && { values }),
});
const mayBeEmpty = (type: FocusType, values?: readonly string[]): FocusColumn => ({
  ...must(type, values),
  nullable: true,
});
const ifSupported = (type: FocusType, values?: readonly string[]): FocusColumn => ({
  ...mayBeEmpty(type, values),
  level: 'conditional',
});
const recommended = (nullable: boolean, values?: readonly string[]): FocusColumn => ({
  ...must('string', values),
  level: 'recommended',
  nullable,
});

/** The service category of AI, which the export writes and the import recognises. */
export const AI_CATEGORY = 'AI and Machine Learning';

/** Every column of the version, in alphabetical order, as the specification lists them. */
export const FOCUS_COLUMNS = {
  AvailabilityZone: { ...recommended(true), level: 'conditional' },
  BilledCost: must('decimal'),
  BillingAccountId: must('string'),
  BillingAccountName: mayBeEmpty('string'),
  BillingAccountType: ifSupported('string'),
  BillingCurrency: must('string'),
  BillingPeriodEnd: must('datetime'),
  BillingPeriodStart: must('datetime'),
  CapacityReservationId: ifSupported('string'),
  CapacityReservationStatus: ifSupported('string', ['Used', 'Unused']),
  ChargeCategory: must('string', ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']),
  ChargeClass: mayBeEmpty('string', ['Correction']),
  ChargeDescription: mayBeEmpty('string'),
  ChargeFrequency: recommended(false, ['One-Time', 'Recurring', 'Usage-Based']),
  ChargePeriodEnd: must('datetime'),
  ChargePeriodStart: must('datetime'),
  CommitmentDiscountCategory: ifSupported('string', ['Spend', 'Usage']),
  CommitmentDiscountId: ifSupported('string'),
  CommitmentDiscountName: ifSupported('string'),
  CommitmentDiscountQuantity: ifSupported('decimal'),
  CommitmentDiscountStatus: ifSupported('string', ['Used', 'Unused']),
  CommitmentDiscountType: ifSupported('string'),
  CommitmentDiscountUnit: ifSupported('string'),
  ConsumedQuantity: ifSupported('decimal'),
  ConsumedUnit: ifSupported('string'),
  ContractedCost: must('decimal'),
  ContractedUnitPrice: ifSupported('decimal'),
  EffectiveCost: must('decimal'),
  InvoiceId: recommended(true),
  InvoiceIssuerName: must('string'),
  ListCost: must('decimal'),
  ListUnitPrice: ifSupported('decimal'),
  PricingCategory: ifSupported('string', ['Standard', 'Dynamic', 'Committed', 'Other']),
  PricingCurrency: ifSupported('string'),
  PricingCurrencyContractedUnitPrice: ifSupported('decimal'),
  PricingCurrencyEffectiveCost: ifSupported('decimal'),
  PricingCurrencyListUnitPrice: ifSupported('decimal'),
  PricingQuantity: mayBeEmpty('decimal'),
  PricingUnit: mayBeEmpty('string'),
  ProviderName: must('string'),
  PublisherName: must('string'),
  RegionId: ifSupported('string'),
  RegionName: ifSupported('string'),
  ResourceId: ifSupported('string'),
  ResourceName: ifSupported('string'),
  ResourceType: ifSupported('string'),
  ServiceCategory: must('string', [
    AI_CATEGORY,
    'Analytics',
    'Business Applications',
    'Compute',
    'Databases',
    'Developer Tools',
    'Identity',
    'Integration',
    'Internet of Things',
    'Management and Governance',
    'Media',
    'Migration',
    'Mobile',
    'Multicloud',
    'Networking',
    'Other',
    'Security',
    'Storage',
    'Web',
  ]),
  ServiceName: must('string'),
  ServiceSubcategory: recommended(false),
  SkuId: ifSupported('string'),
  SkuMeter: ifSupported('string'),
  SkuPriceDetails: ifSupported('json'),
  SkuPriceId: ifSupported('string'),
  SubAccountId: ifSupported('string'),
  SubAccountName: ifSupported('string'),
  SubAccountType: ifSupported('string'),
  Tags: ifSupported('json'),
} as const satisfies Record<string, FocusColumn>;

/** The columns that every file of the version must have. */
export const MANDATORY_COLUMNS: readonly string[] = Object.entries(FOCUS_COLUMNS).flatMap(
  ([name, { level }]) => (level === 'mandatory' ? name : []),
);
