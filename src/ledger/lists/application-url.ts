import type { ClientBase } from 'pg';

/** Where the account's application lives, without a closing slash; null when neither it nor the session names one. */
export async function readApplicationUrl(client: ClientBase, account_id: bigint): Promise<string | null> {
  const { rows } = await client.query<{ url: string | null }>(
    'select service.app_url(app_url) as url from ledger.accounts where id = $1',
    [account_id],
  );
  return rows[0]?.url ?? null;
}
