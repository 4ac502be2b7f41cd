import type { ClientBase } from 'pg';
import { call, db, readFirst } from '../../database/query.ts';

/**
 * Returns a function that turns a path into its address in the account's application; null for a null path, or if neither
 * account nor session names an application.
 */
export async function readLinks(
  client: ClientBase,
  account_id: bigint,
): Promise<(path: string | null) => string | null> {
  const question = db
    .selectFrom('ledger.accounts')
    .select((eb) => call('service.app_url', eb.ref('app_url')).as('url'))
    .where('id', '=', account_id);
  const url = (await readFirst(client, question))?.url ?? null;
  return (path) => (url === null || path === null ? null : url + path);
}
