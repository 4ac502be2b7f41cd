/**
 * The costs of a snapshot in the format of FOCUS, for FinOps tools: a file beside the 14 tables. Each row is one cost entry, so
 * the file adds up to the table `costs`. Columns that FOCUS does not have begin with `x_`.
 */
import { AI_CATEGORY, FOCUS_COLUMNS, FOCUS_VERSION } from '../focus/columns.ts';
import { describeTable } from './describe.ts';
import type { FileSet } from './file-set.ts';
import { column, type Column, type Table } from './table.ts';

type FocusName = keyof typeof FOCUS_COLUMNS;
type Declared = Parameters<typeof column>;
type Declaration = readonly [kind: Declared[1], description: string, from: string | null];

const DAY = "coalesce(period_start, (created_at at time zone 'UTC')::date)";
const LAST_DAY = `coalesce(case when period_start is not null then period_end end, ${DAY})`;
const VENDOR = "coalesce(vendor_name, 'Not recorded')"; // the ledger empties blank names
const SERVICE = "coalesce(cost_type, 'other')";

/** The cost types of the ledger that belong to the FOCUS category for AI. */
const IS_AI = `${SERVICE} in ('software', 'tokens')`;

const midnight = (day: string): string => `(${day})::timestamp at time zone 'UTC'`;

const COST: Declaration = [
  'cents',
  'The amount of the cost entry in `BillingCurrency`, as in `BilledCost`: the ledger records no discounts.',
  'amount_cents',
];
const PARTY: Declaration = ['string', 'The vendor as recorded; `Not recorded` when none was named.', VENDOR];

const COLUMNS: { readonly [Name in FocusName]?: Declaration } & Readonly<Record<`x_${string}`, Declaration>> =
  {
    BilledCost: [
      'cents',
      'The amount of the cost entry in `BillingCurrency`; negative for a credit.',
      'amount_cents',
    ],
    BillingAccountId: ['string', 'The account, as `crossfoot-account-` and its id.', null],
    BillingAccountName: ['string', 'The name of the account at the moment of the snapshot.', null],
    BillingCurrency: ['string', 'The ISO 4217 currency of the entry.', 'currency'],
    BillingPeriodEnd: [
      'timestamp',
      'The first moment after the month of `BillingPeriodStart`.',
      midnight(`date_trunc('month', ${DAY}::timestamp) + interval '1 month'`),
    ],
    BillingPeriodStart: [
      'timestamp',
      'The first moment of the UTC month in which the charge begins.',
      midnight(`date_trunc('month', ${DAY}::timestamp)`),
    ],
    ChargeCategory: [
      'string',
      '`Credit` for a negative amount; otherwise `Usage`.',
      "case when amount_cents < 0 then 'Credit' else 'Usage' end",
    ],
    ChargeClass: ['string?', 'Empty: the ledger does not mark corrections of invoiced months.', 'null::text'],
    ChargeDescription: [
      'text',
      'What the cost is for; the type of the cost when nothing was written.',
      `case when btrim(description) <> '' then description else ${SERVICE} end`,
    ],
    ChargeFrequency: [
      'string',
      '`Recurring` for an entry that a recurring cost made; otherwise `One-Time`.',
      "case when recurring_cost_id is null then 'One-Time' else 'Recurring' end",
    ],
    ChargePeriodEnd: [
      'timestamp',
      'The first moment after the last day of the period. If the period has no last day: after its first day.',
      midnight(`${LAST_DAY} + 1`),
    ],
    ChargePeriodStart: [
      'timestamp',
      'The first moment of the period. For a cost without a period: of the UTC day on which the entry was created.',
      midnight(DAY),
    ],
    ContractedCost: COST,
    EffectiveCost: COST,
    InvoiceId: ['string?', 'Empty: a cost entry names no invoice.', 'null::text'],
    InvoiceIssuerName: PARTY,
    ListCost: COST,
    PricingQuantity: ['cents', 'Always 1: a cost entry has no quantity.', "bigint '100'"],
    PricingUnit: ['string', '`Units`.', null],
    ProviderName: PARTY,
    PublisherName: PARTY,
    ServiceCategory: [
      'string',
      `\`${AI_CATEGORY}\` for the cost types \`software\` and \`tokens\`; otherwise \`Other\`.`,
      `case when ${IS_AI} then '${AI_CATEGORY}' else 'Other' end`,
    ],
    ServiceName: ['string', 'The type of the cost; `other` when not given.', SERVICE],
    ServiceSubcategory: [
      'string',
      '`Other (…)`, with the service category in the brackets.',
      `case when ${IS_AI} then 'Other (${AI_CATEGORY})' else 'Other (Other)' end`,
    ],
    x_CostEntryId: ['id', 'The cost entry: `cost_entry_id` of `costs`.', 'id'],
    x_InitiativeId: ['id', 'The initiative that bears the cost.', 'initiative_id'],
    x_Locked: ['boolean', 'True when the month of the entry is locked.', 'locked'],
    x_SnapshotId: ['string', 'The snapshot that this row belongs to.', null],
    x_Undated: [
      'boolean',
      'True for a cost without a period; `reported_totals` counts it in all time only.',
      'period_start is null',
    ],
    x_UsdRate: [
      'number?',
      'US dollars per unit of `BillingCurrency`, 1 for dollars; empty without a rate. The cost in dollars is `BilledCost` times this rate, rounded to the cent; half a cent is rounded away from zero.',
      "case when currency = 'USD' then 1 else usd_rate::float8 end",
    ],
  };

/** Columns that have few equal values: a dictionary would save nothing. */
const DIFFERS = new Set([
  'ChargeDescription',
  'x_CostEntryId',
  'BilledCost',
  'ContractedCost',
  'EffectiveCost',
  'ListCost',
]);

/** The decimals of an amount: FOCUS has amounts in the currency itself, the ledger in cents. */
const DECIMALS = 2;

function encodingOf(name: string, kind: Declaration[0]) {
  if (name === 'x_CostEntryId') return 'delta';
  return DIFFERS.has(name) || kind === 'boolean' ? 'plain' : 'dictionary';
}

function focusColumn(name: string, [kind, description, from]: Declaration): Column {
  const declared: Readonly<Record<string, { readonly values?: readonly string[] }>> = FOCUS_COLUMNS;
  const values = declared[name]?.values;
  return column(name, kind, description, {
    from,
    encoding: encodingOf(name, kind),
    ...(values && { values }),
    ...(kind === 'cents' && { decimals: DECIMALS }),
    ...(kind === 'timestamp' && { whole_seconds: true }),
  });
}

export const FOCUS: Table = {
  name: 'focus',
  grain: 'one row per cost entry',
  description: 'The costs of the snapshot in the format of FOCUS 1.2, for FinOps tools.',
  key: ['x_CostEntryId'],
  from: 'reporting.cost_entries where account_id = :account_id and not is_sample order by id',
  columns: Object.entries(COLUMNS).map(([name, declaration]) => focusColumn(name, declaration)),
};

/** The FOCUS file as a set of files. It is not one of the manifest's `tables`, because the contract says which tables these are. */
export const FOCUS_SET = {
  name: 'focus',
  tables: [FOCUS],
  called: 'FOCUS file',
  folder: 'focus/',
  checks: 'focus',
  control: null,
  report: 'focus.json',
  states: () => ({ focus_version: FOCUS_VERSION, columns: describeTable(FOCUS).columns }),
  served: true,
  queued: false,
  constants: ({ account_id, account_name, snapshot_id }) => ({
    BillingAccountId: `crossfoot-account-${account_id}`,
    BillingAccountName: account_name,
    PricingUnit: 'Units',
    x_SnapshotId: snapshot_id,
  }),
  version: FOCUS_VERSION,
} as const satisfies FileSet;
