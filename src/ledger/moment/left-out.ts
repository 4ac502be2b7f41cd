/** Reads the amounts that no total includes because they have no rate, as the caller's transaction sees the ledger. */
import type { ClientBase } from 'pg';
import { type CrossfootError, isCrossfootError } from '../../errors.ts';
import { readStatement } from '../../database/columns.ts';
import { leavesOut, leftOutAmounts, type LeftOutAmounts } from '../../figures/left-out.ts';
import { LEFT_OUT_TABLE_NAMES, type LeftOutReason } from '../../figures/left-out-reasons.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { readLeftOutReasons, TOTALLED } from '../convert/left-out-reasons.ts';
import { readToday } from '../clock.ts';
import { readUnsettledAmounts, UNSETTLED_COLUMNS } from './unsettled-amounts.ts';

/** An account and its left-out amounts. */
interface AccountLeftOut {
  readonly account_id: bigint;
  /** Null if a sum is too large to be stated. */
  readonly left_out: LeftOutAmounts | null;
  /** Says which sum is too large: no build publishes the account before it is corrected. */
  readonly too_large?: CrossfootError;
}

/** The left-out amounts of an account over all time, as `/roi` states them, and why they have no dollars. */
export async function readLeftOut(client: ClientBase, account_id: bigint): Promise<LeftOutAmounts> {
  const scope = { account_id, initiative_id: null, include_sample: false, days: null };
  const unsettled = settleBeside(await readUnsettledAmounts(client, scope));
  const amounts = exactAmounts('portfolio, All time', unsettled);
  if (!leavesOut(amounts)) return amounts;
  const today = await readToday(client);
  return { ...amounts, reasons: await readLeftOutReasons(client, { account_id, today }, TOTALLED) };
}

/** Throws if a left-out sum is too large for an exact JSON number; `place` names the scope and window. */
export function requireExactLeftOut(
  place: string,
  { cost_left_out, value_left_out }: Pick<Unsettled, 'cost_left_out' | 'value_left_out'>,
): void {
  for (const cost of cost_left_out) {
    requireExactSums(() => `${place}, cost left out in ${cost.currency}`, cost);
  }
  for (const value of value_left_out) {
    requireExactSums(() => `${place}, value left out in ${value.currency}`, value);
  }
}

/**
 * Those of these accounts that have left-out amounts, by id, with bills and charges among the reasons: no total adds them,
 * but they are in no row either. The role must see all accounts.
 */
export async function readLeftOutOfAccounts(
  client: ClientBase,
  accounts: readonly bigint[],
): Promise<readonly AccountLeftOut[]> {
  const rows = await readStatement(client, {
    name: 'what accounts leave out',
    text: `
      select account_id, kind, currency, sum(amount_cents) as amount_cents, count(*) as entries
      from reporting.unsettled_amounts
      where kind <> 'provisional_cost' and not is_sample and account_id = any($1)
      group by account_id, kind, currency
      order by account_id, kind, currency`,
    values: [accounts],
    columns: { account_id: 'int8', ...UNSETTLED_COLUMNS, amount_cents: 'numeric' },
  });
  // An account may hold more than 2^63 cents of a currency; the database adds without that limit.
  const sums = rows.map((row) => ({ ...row, amount_cents: BigInt(row.amount_cents) }));
  const today = await readToday(client);
  const left: AccountLeftOut[] = [];
  for (const account_id of accounts) {
    const reasons = await readLeftOutReasons(client, { account_id, today }, LEFT_OUT_TABLE_NAMES);
    if (reasons.length === 0) continue;
    left.push(
      leftOutOf(account_id, settleBeside(sums.filter((sum) => sum.account_id === account_id)), reasons),
    );
  }
  return left;
}

function leftOutOf(account_id: bigint, unsettled: Unsettled, reasons: LeftOutReason[]): AccountLeftOut {
  try {
    return { account_id, left_out: { ...exactAmounts('All time', unsettled), reasons } };
  } catch (error) {
    if (!isCrossfootError(error, 'sum_too_large')) throw error;
    return { account_id, left_out: null, too_large: error };
  }
}

function exactAmounts(place: string, unsettled: Unsettled): LeftOutAmounts {
  requireExactLeftOut(place, unsettled);
  return leftOutAmounts(unsettled);
}
