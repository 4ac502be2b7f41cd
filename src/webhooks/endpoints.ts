/**
 * Manages an account's webhooks as the ledger's owner. Lists never show secrets; `readWebhook` reads them for a test
 * message.
 */
import { type InferResult, sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { WebhookForm } from './names.ts';
import type { OutgoingMessage } from './send-message.ts';
import { countRows, db, readFirst, readOne, readRows } from '../database/query.ts';

interface NewWebhook {
  readonly url: string;
  readonly secret: string;
  /** JSON if omitted. */
  readonly form?: WebhookForm;
  /** Types of events; the six of the first version if omitted. */
  readonly events?: string[];
  /** The share of a total that must have moved for `totals.moved`, as a decimal; 0.05 if omitted. */
  readonly moved_share?: string;
}

/** Stores a webhook and returns its id. The caller must check the address first; allowed-addresses.ts has the rule. */
export async function addWebhook(
  owner: ClientBase,
  account_id: bigint,
  { secret, ...webhook }: NewWebhook,
): Promise<bigint> {
  const added = db
    .insertInto('vault.webhooks')
    .values({ account_id, ...webhook, secrets: [secret] })
    .returning('id');
  return (await readOne(owner, added)).id;
}

const WEBHOOKS = db
  .selectFrom('vault.webhooks as w')
  .leftJoin('ops.deliveries as d', (join) =>
    join.onRef('d.account_id', '=', 'w.account_id').onRef('d.webhook_id', '=', 'w.id'),
  )
  .select(['w.id', 'w.url', 'w.form', 'w.events', 'w.moved_share', 'w.created_at', 'w.disabled_at'])
  .select((eb) => [
    sql<number>`cardinality(${eb.ref('w.secrets')})`.as('secrets'),
    eb.cast<number>(eb.fn.count('d.id').filterWhere('d.state', '=', 'pending'), 'int4').as('pending'),
    eb.fn.max('d.tried_at').filterWhere('d.state', '=', 'delivered').as('delivered_at'),
  ])
  .groupBy(['w.account_id', 'w.id'])
  .orderBy('w.id');

/**
 * A webhook in a list; instants. `secrets` and `pending` are counts. `disabled_at`: when the
 * receiver answered that its address is gone (410); null while enabled. `delivered_at`: time of the last successful
 * delivery of the last 90 days, or null.
 */
export type ListedWebhook = Readonly<InferResult<typeof WEBHOOKS>[number]>;

/** The webhooks of an account by ascending id. */
export async function listWebhooks(owner: ClientBase, account_id: bigint): Promise<readonly ListedWebhook[]> {
  return await readRows(owner, WEBHOOKS.where('w.account_id', '=', account_id));
}

/** Removes a webhook with the log of its deliveries; false when the account has no webhook of this id. */
export async function removeWebhook(owner: ClientBase, account_id: bigint, id: bigint): Promise<boolean> {
  const removed = db.deleteFrom('vault.webhooks').where('account_id', '=', account_id).where('id', '=', id);
  return (await countRows(owner, removed)) === 1;
}

/**
 * Puts a new secret first, keeps only the previous secret behind it, and enables the webhook again. Returns false if the
 * webhook does not exist.
 */
export async function rotateSecret(
  owner: ClientBase,
  account_id: bigint,
  id: bigint,
  secret: string,
): Promise<boolean> {
  const rotated = db
    .updateTable('vault.webhooks')
    .set((eb) => ({ secrets: sql`array[${secret}, ${eb.ref('secrets')}[1]]`, disabled_at: null }))
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  return (await countRows(owner, rotated)) === 1;
}

/** Address, secrets and form of a webhook, for a test message; null if there is no such webhook. */
export async function readWebhook(
  owner: ClientBase,
  account_id: bigint,
  id: bigint,
): Promise<Pick<OutgoingMessage, 'url' | 'secrets' | 'form'> | null> {
  const named = db.selectFrom('vault.webhooks').where('account_id', '=', account_id).where('id', '=', id);
  return await readFirst(owner, named.select(['url', 'secrets', 'form']));
}

const DELIVERIES = db
  .selectFrom('ops.deliveries as d')
  .innerJoin('ops.events as e', (join) =>
    join.onRef('e.account_id', '=', 'd.account_id').onRef('e.id', '=', 'd.event_id'),
  )
  .select(['e.occurred_at', 'e.type', 'e.message_id', 'd.webhook_id', 'd.state', 'd.tries', 'd.tried_at'])
  .select(['d.status', 'd.fault'])
  .orderBy('e.occurred_at', 'desc')
  .orderBy('d.id', 'desc');

/** A delivery in a list. */
export type ListedDelivery = Readonly<InferResult<typeof DELIVERIES>[number]>;

/** The last deliveries of an account, newest event first. */
export async function listDeliveries(
  owner: ClientBase,
  account_id: bigint,
  most: number,
): Promise<readonly ListedDelivery[]> {
  return await readRows(owner, DELIVERIES.where('d.account_id', '=', account_id).limit(most));
}
