/** What a build and a command need to know of accounts. */
import type { ClientBase } from 'pg';
import { CrossfootError } from '../errors.ts';

/** The accounts that have reporting tables switched on and a plan with API access, by ascending id. */
export async function readReportingAccounts(client: ClientBase): Promise<readonly bigint[]> {
  const { rows } = await client.query<{ id: bigint }>('select service.reporting_accounts() as id');
  return rows.map(({ id }) => id);
}

/** True once the ledger has any account; asked as the owner, who sees all. */
export async function holdsAccounts(owner: ClientBase): Promise<boolean> {
  return (await owner.query('select from ledger.accounts limit 1')).rowCount === 1;
}

/** The month, 1 to 12, in which the account's fiscal year starts; asked inside the account's own transaction. */
export async function readFiscalYearStart(client: ClientBase, accountId: bigint): Promise<number> {
  const { rows } = await client.query<{ fiscal_year_start_month: number }>(
    'select fiscal_year_start_month from ledger.accounts where id = $1',
    [accountId],
  );
  const [account] = rows;
  if (account === undefined) {
    throw new CrossfootError('not_found', `There is no account ${accountId} in this ledger.`);
  }
  return account.fiscal_year_start_month;
}
