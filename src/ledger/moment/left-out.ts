/** Reads the amounts that no total includes because they have no rate, as the caller's transaction sees the ledger. */
import type { ClientBase } from 'pg';
import { type CrossfootError, isCrossfootError } from '../../errors.ts';
import { type Holding, readStatement } from '../../database/columns.ts';
import {
  BILL_TABLES,
  exactAmount,
  leavesOut,
  leftOutAmounts,
  type LeftOutAmounts,
  type LeftOutBills,
} from '../../figures/left-out.ts';
import { LEFT_OUT_TABLE_NAMES, type LeftOutReason } from '../../figures/left-out-reasons.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { CONVERTED_TABLES } from '../convert/converted-tables.ts';
import { readLeftOutReasons } from '../convert/left-out-reasons.ts';
import { readToday } from '../today.ts';
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
  const bills = await readLeftOutBills(client, account_id);
  const amounts = { ...exactAmounts('portfolio, All time', unsettled), ...(bills.length > 0 && { bills }) };
  if (!leavesOut(amounts) && bills.length === 0) return amounts;
  const today = await readToday(client);
  const reasons = await readLeftOutReasons(client, { account_id, today }, LEFT_OUT_TABLE_NAMES);
  return { ...amounts, ...(reasons.length > 0 && { reasons }) };
}

/** The bills and charges that are in no row of AI spend. A card charge in another currency is in none even with dollars. */
const BILLS_LEFT_OUT = `
  select name, currency, sum(amount_cents) as amount_cents, count(*) as entries
  from (${CONVERTED_TABLES.filter(({ name }) => BILL_TABLES.some((each) => each === name))
    .map(
      ({ name, counts }) => `
    select '${name}' as name, t.currency::text as currency, t.amount_cents::bigint as amount_cents
    from ledger.${name} t
    where t.account_id = $1 and t.currency <> 'USD' and ${counts}
      and ${name === 'card_charges' ? 'true' : 't.usd_amount_cents is null'}`,
    )
    .join(' union all ')}
  ) as bills
  group by name, currency
  order by name, currency`;

const BILLS_COLUMNS = {
  name: 'text' as Holding<'text', LeftOutBills['table']>,
  currency: 'text',
  amount_cents: 'numeric',
  entries: 'int8',
} as const;

/** The bills of an account that no figure of AI spend includes, by table and currency. */
export async function readLeftOutBills(client: ClientBase, account_id: bigint): Promise<LeftOutBills[]> {
  const rows = await readStatement(client, {
    name: 'bills in no row of AI spend',
    text: BILLS_LEFT_OUT,
    values: [account_id],
    columns: BILLS_COLUMNS,
  });
  return rows.map(({ name: table, currency, entries, amount_cents: sum }) => {
    const amount_cents = BigInt(sum);
    requireExactSums(() => `AI spend, ${table} left out in ${currency}`, { amount_cents });
    return { table, ...exactAmount({ currency, amount_cents, entries }) };
  });
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
 * Those of these accounts that have left-out amounts, by id. The role must see all accounts.
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
    const unsettled = settleBeside(sums.filter((sum) => sum.account_id === account_id));
    left.push(await leftOutOf(client, account_id, unsettled, reasons));
  }
  return left;
}

async function leftOutOf(
  client: ClientBase,
  account_id: bigint,
  unsettled: Unsettled,
  reasons: LeftOutReason[],
): Promise<AccountLeftOut> {
  try {
    const bills = await readLeftOutBills(client, account_id);
    const amounts = exactAmounts('All time', unsettled);
    return { account_id, left_out: { ...amounts, ...(bills.length > 0 && { bills }), reasons } };
  } catch (error) {
    if (!isCrossfootError(error, 'sum_too_large')) throw error;
    return { account_id, left_out: null, too_large: error };
  }
}

function exactAmounts(place: string, unsettled: Unsettled): LeftOutAmounts {
  requireExactLeftOut(place, unsettled);
  return leftOutAmounts(unsettled);
}
