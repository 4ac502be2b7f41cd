/** Finds the version of FOCUS that a file has, from its columns: no file states its version. */
import { FOCUS_COLUMNS, MANDATORY_COLUMNS } from '../../focus/columns.ts';
import { SHOWN_FAULTS } from '../load/faults.ts';
import { nearestOf } from '../sources/nearest.ts';

/** The columns that each version after 1.2 added, newest first. */
const ADDED_LATER = {
  '1.4': ['CommitmentProgramEligibilityDetails', 'InvoiceDetailId'],
  '1.3': [
    'AllocatedMethodDetails',
    'AllocatedMethodId',
    'AllocatedResourceId',
    'AllocatedResourceName',
    'AllocatedTags',
    'ContractApplied',
    'HostProviderName',
    'ServiceProviderName',
  ],
} as const;

/** The columns that 1.2 and 1.1 added to 1.0. */
const ADDED = {
  '1.2': [
    'BillingAccountType',
    'InvoiceId',
    'PricingCurrency',
    'PricingCurrencyContractedUnitPrice',
    'PricingCurrencyEffectiveCost',
    'PricingCurrencyListUnitPrice',
    'SubAccountType',
  ],
  '1.1': [
    'CapacityReservationId',
    'CapacityReservationStatus',
    'CommitmentDiscountQuantity',
    'CommitmentDiscountUnit',
    'ServiceSubcategory',
    'SkuMeter',
    'SkuPriceDetails',
  ],
} as const;

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(FOCUS_COLUMNS),
  ...Object.values(ADDED_LATER).flat(),
]);

/** Mandatory up to 1.2. From 1.3 on `ServiceProviderName` names the provider; 1.4 no longer has these two. */
const PROVIDERS = ['ProviderName', 'PublisherName'];
const OWN_COLUMN = /^x_/i;

/** True for a column that a file of some version may have. */
export function isFocusColumn(column: string): boolean {
  return KNOWN.has(column) || OWN_COLUMN.test(column);
}

/** A fault in the columns of a file. */
export interface ColumnFault {
  readonly column: string;
  readonly expected: string;
}

/**
 * The newest version that has a column of the file; or the faults, if columns are unknown or mandatory ones are missing.
 */
export function versionOf(
  columns: readonly string[],
): { readonly version: string } | { readonly faults: readonly ColumnFault[] } {
  const strange = columns.filter((column) => !isFocusColumn(column));
  // As many as a refusal shows: each is compared with all known columns.
  if (strange.length > 0) return { faults: strange.slice(0, SHOWN_FAULTS).map(unknownColumn) };
  const has = (column: string): boolean => columns.includes(column);
  const newer = Object.entries(ADDED_LATER).find(([, added]) => added.some(has))?.[0];
  const version = newer ?? Object.entries(ADDED).find(([, added]) => added.some(has))?.[0] ?? '1.0';
  const mandatory =
    newer === undefined
      ? MANDATORY_COLUMNS
      : [...MANDATORY_COLUMNS.filter((column) => !PROVIDERS.includes(column)), 'ServiceProviderName'];
  const missing = mandatory.filter((column) => !has(column));
  if (missing.length === 0) return { version };
  return {
    faults: missing.map((column) => ({
      column,
      expected: `this column, which is mandatory in FOCUS ${version}: export the file again with it`,
    })),
  };
}

function unknownColumn(column: string): ColumnFault {
  const nearest = nearestOf(column, [...KNOWN]);
  const meant = nearest === null ? '' : `; did you mean ${nearest}?`;
  const expected = `a column of FOCUS 1.0 to 1.4${meant} The file is of an unknown version: export one of these, or begin a column of your own with x_`;
  return { column, expected };
}
