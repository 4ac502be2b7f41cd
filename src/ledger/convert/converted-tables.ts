/**
 * The tables whose rows are converted, with the SQL expressions that decide the rate; `t` is the row. The rate depends on
 * the currency and on the first and last day of the period. For a cost without a period, both are the booking day.
 */

export interface ConvertedTable {
  readonly name: 'cost_entries' | 'value_entries' | 'provider_bills' | 'vendor_bills' | 'card_charges';
  /** The first day of the period; null if there is none. */
  readonly startsOn: string;
  readonly endsOn: string;
  /** True for a row that must not change: a booking in a locked month. A provider's bill is not a booking. */
  readonly frozen: string;
  /** True for a row that a total of the snapshot, or a dollar total of AI spend, would include. */
  readonly counts: string;
  /** True for costs: until the average of the period is known they use the latest rate, and are marked as provisional. */
  readonly provisional: boolean;
  /** The columns of amounts that are converted. */
  readonly amounts: readonly string[];
}

const NO_SAMPLE = `exists (
    select from ledger.initiatives i
    where i.account_id = t.account_id and i.id = t.initiative_id and not i.is_sample)`;

/** A merged vendor's bills count for the vendor that it was merged into. */
const OF_AI_VENDOR = `exists (
    select from ledger.vendors v
    join ledger.vendors payee on payee.account_id = v.account_id and payee.id = coalesce(v.merged_into_id, v.id)
    where v.account_id = t.account_id and v.id = t.vendor_id and payee.is_ai)`;

const BOOKED_ON = "(t.created_at at time zone 'UTC')::date";

/** The converted tables, in the order of conversion. */
export const CONVERTED_TABLES: readonly ConvertedTable[] = [
  {
    name: 'cost_entries',
    startsOn: `coalesce(t.period_start, ${BOOKED_ON})`,
    endsOn: `service.cost_ends_on(t.period_start, t.period_end, ${BOOKED_ON})`,
    frozen: locked('t.booked_month'),
    counts: NO_SAMPLE,
    provisional: true,
    amounts: ['t.amount_cents', 't.ai_amount_cents'],
  },
  {
    name: 'value_entries',
    startsOn: 't.period_start',
    endsOn: 'service.cost_ends_on(t.period_start, t.period_end, null)',
    frozen: `(t.status = 'approved' and ${locked('t.period_month')})`,
    counts: `t.status = 'approved' and ${NO_SAMPLE}`,
    provisional: false,
    amounts: ['t.amount_cents'],
  },
  bills('provider_bills', 'true', ['t.amount_cents', 't.ai_amount_cents']),
  bills('vendor_bills', OF_AI_VENDOR, ['t.amount_cents', 't.ai_amount_cents']),
  bills('card_charges', OF_AI_VENDOR, ['t.amount_cents']),
];

function bills(name: ConvertedTable['name'], counts: string, amounts: readonly string[]): ConvertedTable {
  return {
    name,
    startsOn: 't.month',
    endsOn: 'service.cost_ends_on(t.month, null, null)',
    frozen: 'false',
    counts,
    provisional: true,
    amounts,
  };
}

function locked(month: string): string {
  return `exists (
    select from ledger.accounting_months m
    where m.account_id = t.account_id and m.month = ${month} and m.status = 'locked')`;
}
