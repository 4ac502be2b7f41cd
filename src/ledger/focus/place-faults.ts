/** Turns faults of the rows that a load makes of bills into faults of the files that people have. */
import { shownCents } from '../../format.ts';
import { type LoadFault, collectFaults } from '../staging/faults.ts';
import { type Bill, connectionRef } from './charge.ts';
import { MAX_UNITS, shownUnits } from './decimals.ts';
import type { FocusPlan } from './plan.ts';

/** The column of FOCUS that a column of the ledger comes from; `provider` is the column that named the provider. */
const COLUMNS: Readonly<Record<string, string>> = {
  source_ref: 'BillingAccountId',
  load_ref: 'BillingAccountId',
  name: 'provider',
  vendor_name: 'provider',
  description: 'provider',
  external_account_id: 'BillingAccountId',
  external_account_name: 'BillingAccountName',
  month: 'BillingPeriodStart',
  period_start: 'BillingPeriodStart',
  period_end: 'BillingPeriodStart',
  currency: 'BillingCurrency',
  amount_cents: 'BilledCost',
  ai_amount_cents: 'BilledCost',
};

/** Throws `load_rejected` with the same faults at the first charge of the bill that each concerns. */
export function refusePlaced(found: readonly LoadFault[], plan: FocusPlan): void {
  const faults = collectFaults();
  const seen = new Set<string>();
  for (const fault of found.map((each) => placed(each, plan))) {
    // A name that cannot be stored is in the connection, the bill and its costs.
    const key = JSON.stringify([fault.file, fault.line, fault.column]);
    if (!seen.has(key)) faults.add(fault);
    seen.add(key);
  }
  faults.refuse();
}

function placed(fault: LoadFault, plan: FocusPlan): LoadFault {
  const [column = ''] = (fault.column ?? '').split(', ');
  if (column === 'account_id') return { ...fault, file: '--account', line: null, column: null };
  const bill = billOf(fault, plan);
  if (bill === undefined) return { ...fault, file: 'the bills', line: null, column: null };
  const { file, line, provider } = bill.origin;
  const own = COLUMNS[column] ?? null;
  if (own !== 'BilledCost') return { ...fault, file, line, column: own === 'provider' ? provider : own };
  const expected = `charges that add up to at most ${shownUnits(MAX_UNITS)} ${bill.currency} in the bill`;
  return { file, line, column: own, value: shownCents(bill.total), expected };
}

/** The bill of a row; the first row of a table is line 2. */
function billOf({ file, line }: LoadFault, plan: FocusPlan): Bill<bigint> | undefined {
  const row = (line ?? 0) - 2;
  if (file === 'connections.csv')
    return [...new Map(plan.bills.map((bill) => [connectionRef(bill), bill])).values()][row];
  if (file === 'provider_bills.csv') return plan.bills[row];
  if (file === 'bill_shares.csv') return plan.shares[row]?.bill;
  return file === 'cost_entries.csv' ? plan.entries[row]?.bill : undefined;
}
