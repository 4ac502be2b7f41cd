/** Reads the amounts and bills that no dollar total includes, as the caller's transaction sees the ledger. */
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
import { LEFT_OUT_TABLE_NAMES } from '../../figures/left-out-reasons.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { CONVERTED_TABLES } from '../convert/converted-tables.ts';
import { readLeftOutReasons } from '../convert/left-out-reasons.ts';
import { inOtherCurrency, leftOut } from '../convert/statements.ts';
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
  return await besideBills(client, account_id, exactAmounts('portfolio, All time', unsettled));
}

/** The tables of which a conversion brings rows into a figure. It brings no card charge into AI spend. */
const HELPED = LEFT_OUT_TABLE_NAMES.filter((name) => name !== 'card_charges');

/** The amounts with the left-out bills, and why the amounts and bills have no dollars. */
async function besideBills(
  client: ClientBase,
  account_id: bigint,
  amounts: LeftOutAmounts,
): Promise<LeftOutAmounts> {
  const bills = await readLeftOutBills(client, account_id);
  const all = { ...amounts, ...(bills.length > 0 && { bills }) };
  if (!leavesOut(all)) return all;
  const today = await readToday(client);
  return { ...all, reasons: await readLeftOutReasons(client, { account_id, today }, HELPED) };
}

/** The bills and charges that are in no row of AI spend. A card charge in another currency is in none even with dollars. */
const BILLS_LEFT_OUT = `
  select name, currency, sum(amount_cents) as amount_cents, count(*) as entries
  from (${CONVERTED_TABLES.filter(({ name }) => BILL_TABLES.some((each) => each === name))
    .map(
      (table) => `
    select '${table.name}' as name, t.currency::text as currency, t.amount_cents::bigint as amount_cents
    from ledger.${table.name} t
    where ${table.name === 'card_charges' ? inOtherCurrency(table) : leftOut(table)}`,
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

/** The bills of an account that no dollar total of AI spend includes, by table and currency. */
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
  const left: AccountLeftOut[] = [];
  for (const account_id of accounts) {
    const unsettled = settleBeside(sums.filter((sum) => sum.account_id === account_id));
    try {
      const left_out = await besideBills(client, account_id, exactAmounts('All time', unsettled));
      if (leavesOut(left_out)) left.push({ account_id, left_out });
    } catch (error) {
      if (!isCrossfootError(error, 'sum_too_large')) throw error;
      left.push({ account_id, left_out: null, too_large: error });
    }
  }
  return left;
}

function exactAmounts(place: string, unsettled: Unsettled): LeftOutAmounts {
  requireExactLeftOut(place, unsettled);
  return leftOutAmounts(unsettled);
}
