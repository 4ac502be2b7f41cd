import type { ClientBase } from 'pg';
import { call, db, readFirst } from '../../database/query.ts';

/** The address of the account's application, without a trailing slash; null if neither account nor session names one. */
export async function readApplicationUrl(client: ClientBase, account_id: bigint): Promise<string | null> {
  const question = db
    .selectFrom('ledger.accounts')
    .select((eb) => call('service.app_url', eb.ref('app_url')).as('url'))
    .where('id', '=', account_id);
  return (await readFirst(client, question))?.url ?? null;
}
