/** The webhooks of an account as its owner keeps them; their secrets are written here and read back by nobody. */
import type { ClientBase } from 'pg';

/** Keeps a webhook and gives its id. */
export async function addWebhook(
  owner: ClientBase,
  account_id: bigint,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<bigint> {
  const { rows } = await owner.query<{ id: bigint }>(
    'insert into vault.webhooks (account_id, url, secrets) values ($1, $2, array[$3]) returning id',
    [account_id, url, secret],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an insert that returns its id returned none');
  return row.id;
}

/** A webhook as a person tells it from others; instants in microseconds since 1970. */
export interface ListedWebhook {
  readonly id: bigint;
  readonly url: string;
  readonly secrets: number;
  readonly created_at: bigint;
  /** Since its receiver said that it is gone; null while it is told. */
  readonly disabled_at: bigint | null;
  readonly pending: number;
  /** Null before the first. */
  readonly delivered_at: bigint | null;
}

/** The webhooks of an account by ascending id. */
export async function listWebhooks(owner: ClientBase, account_id: bigint): Promise<readonly ListedWebhook[]> {
  return (await owner.query<ListedWebhook>(LIST, [account_id])).rows;
}

/** Removes a webhook with the log of its deliveries; false when the account has none of this id. */
export async function removeWebhook(owner: ClientBase, account_id: bigint, id: bigint): Promise<boolean> {
  const removed = await owner.query('delete from vault.webhooks where account_id = $1 and id = $2', [
    account_id,
    id,
  ]);
  return removed.rowCount === 1;
}

/** Signs with a new secret and the newest before it, and tells a disabled one again; false when there is none. */
export async function rotateSecret(
  owner: ClientBase,
  account_id: bigint,
  id: bigint,
  secret: string,
): Promise<boolean> {
  const rotated = await owner.query(
    `update vault.webhooks set secrets = array[$3, secrets[1]], disabled_at = null
     where account_id = $1 and id = $2`,
    [account_id, id, secret],
  );
  return rotated.rowCount === 1;
}

/** Where a webhook leads and what it is signed with, to try it by hand; null when there is none. */
export async function readWebhook(
  owner: ClientBase,
  account_id: bigint,
  id: bigint,
): Promise<{ readonly url: string; readonly secrets: readonly string[] } | null> {
  const { rows } = await owner.query<{ url: string; secrets: string[] }>(
    'select url, secrets from vault.webhooks where account_id = $1 and id = $2',
    [account_id, id],
  );
  return rows[0] ?? null;
}

/** A line of the log of deliveries. */
export interface ListedDelivery {
  readonly occurred_at: bigint;
  readonly type: string;
  readonly message_id: string;
  readonly webhook_id: bigint;
  readonly state: string;
  readonly tries: number;
  readonly tried_at: bigint | null;
  readonly status: number | null;
  readonly fault: string | null;
}

/** The last deliveries of an account, newest event first. */
export async function listDeliveries(
  owner: ClientBase,
  account_id: bigint,
  most: number,
): Promise<readonly ListedDelivery[]> {
  return (await owner.query<ListedDelivery>(DELIVERIES, [account_id, most])).rows;
}

const LIST = `
  select w.id, w.url, cardinality(w.secrets) as secrets, w.created_at, w.disabled_at,
    count(d.id) filter (where d.state = 'pending')::int as pending,
    max(d.tried_at) filter (where d.state = 'delivered') as delivered_at
  from vault.webhooks w
  left join ops.deliveries d on d.account_id = w.account_id and d.webhook_id = w.id
  where w.account_id = $1 group by w.account_id, w.id order by w.id`;

const DELIVERIES = `
  select e.occurred_at, e.type, e.message_id, d.webhook_id, d.state, d.tries, d.tried_at, d.status, d.fault
  from ops.deliveries d
  join ops.events e on e.account_id = d.account_id and e.id = d.event_id
  where d.account_id = $1 order by e.occurred_at desc, d.id desc limit $2`;
