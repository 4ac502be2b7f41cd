/** Why an amount has no dollar figure, and what helps: a conversion, an import of rates, a reopened month, or nothing. */

/** The possible reasons, each with what helps, and its words after "because". */
const LEFT_OUT_REASONS = {
  not_converted: { help: 'convert', because: 'the stored rates cover the period' },
  waiting: { help: 'import', because: 'the stored rates do not cover the whole period' },
  no_published_rates: { help: 'import', because: 'no rate of the currency is stored' },
  before_first_rate: { help: 'never', because: "the period is before the currency's first rate" },
  no_period: { help: 'never', because: 'the value has no period' },
  locked_without_rate: { help: 'reopen', because: 'the month was locked before there was a rate' },
  too_large: { help: 'never', because: 'the ledger does not hold so many dollars exactly' },
} as const satisfies Record<string, { readonly help: Help; readonly because: string }>;

/** What helps. */
type Help = 'convert' | 'import' | 'reopen' | 'never';

type ReasonName = keyof typeof LEFT_OUT_REASONS;

/** The names of the reasons, as JSON holds them. */
export const REASON_NAMES = Object.keys(LEFT_OUT_REASONS) as [ReasonName, ...ReasonName[]]; // Its own keys.

/** The tables that may have amounts without dollars, each with its rows in words. */
export const LEFT_OUT_TABLES = {
  cost_entries: ['cost', 'costs'],
  value_entries: ['approved value', 'approved values'],
  provider_bills: ["provider's bill", "providers' bills"],
  vendor_bills: ["vendor's bill", "vendors' bills"],
  card_charges: ['card charge', 'card charges'],
} as const;

export type LeftOutTable = keyof typeof LEFT_OUT_TABLES;

/** The names of the tables, as JSON holds them. */
export const LEFT_OUT_TABLE_NAMES = Object.keys(LEFT_OUT_TABLES) as [LeftOutTable, ...LeftOutTable[]]; // Its own keys.

/** Rows of one table and currency without dollars, for one reason. */
export interface LeftOutReason {
  readonly table: LeftOutTable;
  readonly reason: ReasonName;
  readonly currency: string;
  readonly entries: number;
  /**
   * Their sum, in cents of `currency`; of approved value the cash alone. Absent if the sum is too large for an exact JSON number, and
   * in the record of an older program.
   */
  readonly amount_cents?: number | undefined;
  /** The same of the capacity among approved value, which is never added to cash; absent if there is none. */
  readonly capacity_amount_cents?: number | undefined;
  /** How many of the entries are capacity; absent if none is. */
  readonly capacity_entries?: number | undefined;
  /** True if the rows wait in vain: other currencies have published rates past their period, and theirs has none. */
  readonly rates_ended?: true | undefined;
}

const ENDED = {
  help: 'never',
  because: 'the published rates of the currency end before the period does',
} as const;

/** What helps these rows, and why they have no dollars. */
export function reasonTold({ reason, rates_ended }: LeftOutReason): {
  readonly help: Help;
  readonly because: string;
} {
  return rates_ended === true ? ENDED : LEFT_OUT_REASONS[reason];
}
