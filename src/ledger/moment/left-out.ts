/** Reads the amounts that no total includes because they have no rate, as the caller's transaction sees the ledger. */
import type { ClientBase } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { leftOutAmounts, type LeftOutAmounts } from '../../figures/left-out.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import { requireExactSums } from '../../sum-limit.ts';
import { readUnsettledAmounts, UNSETTLED_COLUMNS } from './unsettled-amounts.ts';

/** An account and its left-out amounts. */
interface AccountLeftOut {
  readonly account_id: bigint;
  readonly left_out: LeftOutAmounts;
}

/** The left-out amounts of an account over all time, as `/roi` states them. */
export async function readLeftOut(client: ClientBase, account_id: bigint): Promise<LeftOutAmounts> {
  const scope = { account_id, initiative_id: null, include_sample: false, days: null };
  return exactAmounts('portfolio, All time', settleBeside(await readUnsettledAmounts(client, scope)));
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

/** The accounts with left-out amounts, by id. The role must see all accounts. */
export async function readLeftOutOfAccounts(client: ClientBase): Promise<readonly AccountLeftOut[]> {
  const rows = await readStatement(client, {
    name: 'what accounts leave out',
    text: `
      select account_id, kind, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries
      from reporting.unsettled_amounts
      where kind <> 'provisional_cost' and not is_sample
      group by account_id, kind, currency
      order by account_id, kind, currency`,
    columns: { account_id: 'int8', ...UNSETTLED_COLUMNS },
  });
  return [...Map.groupBy(rows, ({ account_id }) => account_id)].map(([account_id, sums]) => ({
    account_id,
    left_out: exactAmounts(`account ${account_id}, All time`, settleBeside(sums)),
  }));
}

function exactAmounts(place: string, unsettled: Unsettled): LeftOutAmounts {
  requireExactLeftOut(place, unsettled);
  return leftOutAmounts(unsettled);
}
