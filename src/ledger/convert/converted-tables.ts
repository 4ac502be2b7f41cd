/**
 * The tables whose rows are converted, and what of a row decides on its rate. `t` is the row. A row depends on its
 * currency and on the first and last day that decide, an undated cost being one of its booking day.
 */

export interface ConvertedTable {
  readonly name: string;
  /** The first deciding day, null where there is none. */
  readonly startsOn: string;
  readonly endsOn: string;
  /** True for a row that may not change: a booking in a locked month. A provider's bill is no booking. */
  readonly frozen: string;
  /** Value waits for its average; a cost takes the latest rate meanwhile, and says so in this column. */
  readonly provisional: boolean;
  /** The amounts that its rate makes dollars of. */
  readonly amounts: readonly string[];
}

const BOOKED_ON = "(t.created_at at time zone 'UTC')::date";

/** In the order in which they are converted. */
export const CONVERTED_TABLES: readonly ConvertedTable[] = [
  {
    name: 'cost_entries',
    startsOn: `coalesce(t.period_start, ${BOOKED_ON})`,
    endsOn: `service.cost_ends_on(t.period_start, t.period_end, ${BOOKED_ON})`,
    frozen: locked('t.booked_month'),
    provisional: true,
    amounts: ['t.amount_cents', 't.ai_amount_cents'],
  },
  {
    name: 'value_entries',
    startsOn: 't.period_start',
    endsOn: 'service.cost_ends_on(t.period_start, t.period_end, null)',
    frozen: `(t.status = 'approved' and ${locked('t.period_month')})`,
    provisional: false,
    amounts: ['t.amount_cents'],
  },
  bills('provider_bills', ['t.amount_cents', 't.ai_amount_cents']),
  bills('vendor_bills', ['t.amount_cents', 't.ai_amount_cents']),
  bills('card_charges', ['t.amount_cents']),
];

function bills(name: string, amounts: readonly string[]): ConvertedTable {
  return {
    name,
    startsOn: 't.month',
    endsOn: 'service.cost_ends_on(t.month, null, null)',
    frozen: 'false',
    provisional: true,
    amounts,
  };
}

function locked(month: string): string {
  return `exists (
    select from ledger.accounting_months m
    where m.account_id = t.account_id and m.month = ${month} and m.status = 'locked')`;
}
