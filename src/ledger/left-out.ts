/** The amounts that no total has, as the caller's transaction sees the ledger. */
import type { ClientBase } from 'pg';
import { leftOutAmounts, type LeftOutAmounts } from '../figures/left-out.ts';
import { settleBeside, type UnsettledSum } from '../figures/unsettled.ts';
import { readUnsettledAmounts } from './unsettled-amounts.ts';

/** One account and what it leaves out. */
interface AccountLeftOut {
  readonly account_id: bigint;
  readonly left_out: LeftOutAmounts;
}

/** What an account leaves out of all time, as `/roi` states it. */
export async function readLeftOut(client: ClientBase, accountId: bigint): Promise<LeftOutAmounts> {
  const scope = { accountId, initiativeId: null, includeSample: false, days: null };
  return leftOutAmounts(settleBeside(await readUnsettledAmounts(client, scope)));
}

/** The accounts that leave anything out, by id; for a role that sees all of them. */
export async function readLeftOutOfAccounts(client: ClientBase): Promise<readonly AccountLeftOut[]> {
  const { rows } = await client.query<UnsettledSum & { readonly account_id: bigint }>(
    `select account_id, kind, currency, sum(amount_cents)::bigint as amount_cents, count(*) as entries
     from reporting.unsettled_amounts
     where kind <> 'provisional_cost' and not is_sample
     group by account_id, kind, currency
     order by account_id, kind, currency`,
  );
  return [...Map.groupBy(rows, ({ account_id }) => account_id)].map(([account_id, sums]) => ({
    account_id,
    left_out: leftOutAmounts(settleBeside(sums)),
  }));
}
