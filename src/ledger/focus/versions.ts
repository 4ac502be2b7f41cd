/** Finds the version of FOCUS that a file has, from its columns: no file states its version. */
import { FOCUS_COLUMNS, MANDATORY_COLUMNS } from '../../focus/columns.ts';
import { SHOWN_FAULTS } from '../staging/faults.ts';
import { columnMeant } from '../sources/headings.ts';

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

/** The names of the columns of all versions. */
export const FOCUS_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(FOCUS_COLUMNS),
  ...Object.values(ADDED_LATER).flat(),
]);

/** Mandatory up to 1.2. From 1.3 on `ServiceProviderName` names the provider; 1.4 no longer has these two. */
const PROVIDERS = ['ProviderName', 'PublisherName'];
const OWN_COLUMN = /^x_/i;

/** An export that lacks columns which its version makes mandatory. */
export interface IncompleteExport {
  readonly name: string;
  /** Columns that it has, and that no other export has together. */
  readonly marks: readonly string[];
  readonly lacks: readonly string[];
  /** The columns with its tags, where it has no `Tags`; of one key, the last column wins. */
  readonly tags: readonly string[];
  readonly source: string;
  readonly checked_on: string;
}

/** The exports that are read without their missing columns: their provider will not write these. */
export const INCOMPLETE_EXPORTS: readonly IncompleteExport[] = [
  {
    // Its export of 1.2 has no service category, and no tags but lists of labels; its view of 1.0 has a list as category.
    name: 'Google Cloud',
    marks: ['x_CostType', 'x_CurrencyConversionRate', 'x_ExportTime', 'x_ServiceId'],
    lacks: ['BillingAccountName', 'InvoiceIssuerName', 'ServiceCategory'],
    tags: ['x_ProjectLabels', 'x_Tags', 'x_Labels'],
    source: 'https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/focus-export',
    checked_on: '2026-11-27',
  },
];

/** True for a column that a file of some version may have. */
export function isFocusColumn(column: string): boolean {
  return FOCUS_NAMES.has(column) || OWN_COLUMN.test(column);
}

/** A fault in the columns of a file. */
export interface ColumnFault {
  readonly column: string;
  readonly expected: string;
}

/**
 * The newest version that has a column of the file, the columns of no version, and the incomplete export that the file is of.
 * Or the faults: mandatory columns are missing, or a column of no version has nearly the name of a missing column that is
 * mandatory or `claiming`.
 */
export function versionOf(
  columns: readonly string[],
  claiming: readonly string[],
):
  | {
      readonly version: string;
      readonly unknown: readonly string[];
      readonly incomplete: IncompleteExport | null;
    }
  | { readonly faults: readonly ColumnFault[] } {
  const unknown = columns.filter((column) => !isFocusColumn(column));
  const has = (column: string): boolean => columns.includes(column);
  const newer = Object.entries(ADDED_LATER).find(([, added]) => added.some(has))?.[0];
  const version = newer ?? Object.entries(ADDED).find(([, added]) => added.some(has))?.[0] ?? '1.0';
  const mandatory =
    newer === undefined
      ? MANDATORY_COLUMNS
      : [...MANDATORY_COLUMNS.filter((column) => !PROVIDERS.includes(column)), 'ServiceProviderName'];
  const incomplete = INCOMPLETE_EXPORTS.find(({ marks }) => marks.every(has)) ?? null;
  const missing = mandatory.filter((column) => !has(column) && incomplete?.lacks.includes(column) !== true);
  const wanted = [...missing, ...claiming.filter((column) => !has(column))];
  // As many as a refusal shows: each is compared with the columns that are missing.
  const faults = unknown.slice(0, SHOWN_FAULTS).flatMap((column) => misspelled(column, wanted) ?? []);
  if (missing.length === 0 && faults.length === 0) return { version, unknown, incomplete };
  return {
    faults: [
      ...faults,
      ...missing.map((column) => ({
        column,
        expected: `this column, which is mandatory in FOCUS ${version}: export the file again with it`,
      })),
    ],
  };
}

function misspelled(column: string, wanted: readonly string[]): ColumnFault | null {
  const nearest = columnMeant(column, wanted);
  if (nearest === null) return null;
  return {
    column,
    expected: `a column of FOCUS 1.0 to 1.4, or a name of your own that begins with x_; did you mean ${nearest}?`,
  };
}
