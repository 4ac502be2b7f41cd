/** Events and the results of their deliveries, in tables of schema `ops`. */
import { type InferResult, type NotNull, sql } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import type { WebhookForm } from './names.ts';
import { call, countRows, db, instant, readFirst, readOne, readRows } from '../database/query.ts';
import type { Instant } from '../instant.ts';

/** An event to store once. */
export interface NewEvent {
  readonly account_id: bigint;
  readonly message_id: string;
  readonly type: string;
  /** The check of a refusal. */
  readonly check: string | null;
  readonly at: Instant;
  /** The share by which totals moved; 0 if no webhook need hear of the event; infinite for every other event. */
  readonly share: number;
  /** The body of the message. */
  readonly body: string;
}

/** A new delivery of an event, and the id of its job. */
export type NewDelivery = Readonly<InferResult<ReturnType<typeof insertDeliveries>>[number]>;

const DUE = db
  .selectFrom('ops.deliveries as d')
  .innerJoin('ops.events as e', (join) =>
    join.onRef('e.account_id', '=', 'd.account_id').onRef('e.id', '=', 'd.event_id'),
  )
  .innerJoinLateral(
    (eb) => call('ops.webhook_receiver', eb.ref('d.account_id'), eb.ref('d.webhook_id')).as('t'),
    (join) => join.onTrue(),
  )
  .select(['e.message_id', 'e.body', 'e.type', 'd.webhook_id', 't.url', 't.secrets', 't.form'])
  .$narrowType<{ url: NotNull; secrets: NotNull; form: WebhookForm }>()
  .where('d.state', '=', 'pending');

/** Everything that an attempt needs; the newest secret comes first. */
export type DueDelivery = Readonly<InferResult<typeof DUE>[number]>;

/** `pending`: a retry follows. The other states are final. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled';

/**
 * The time since which this check refuses the account's snapshots: of its first refusal after the last published snapshot.
 * Null if there is no such refusal.
 */
export async function refusedSince(
  service: ClientBase,
  account_id: bigint,
  check: string,
): Promise<bigint | null> {
  const ofAccount = db.selectFrom('ops.events').where('account_id', '=', account_id);
  const published = ofAccount
    .select((eb) => eb.fn.max('occurred_at').as('at'))
    .where('type', '=', 'snapshot.published');
  const refused = ofAccount
    .select((eb) => eb.fn.min('occurred_at').as('since'))
    .where('type', '=', 'snapshot.refused')
    .where('check_name', '=', check)
    .where('occurred_at', '>', sql<bigint>`coalesce(${published}, '-infinity')`);
  return (await readFirst(service, refused))?.since ?? null;
}

/** True if the event is stored already. */
export async function hasEvent(service: Pool, account_id: bigint, message_id: string): Promise<boolean> {
  const same = db
    .selectFrom('ops.events')
    .where('account_id', '=', account_id)
    .where('message_id', '=', message_id);
  return (await countRows(service, same.select('id'))) === 1;
}

/** True if a webhook of the account gets events of this type, of any share. */
export async function hasListener(service: Pool, account_id: bigint, type: string): Promise<boolean> {
  const listeners = db
    .selectNoFrom(call('ops.webhooks_to_tell', account_id, type, 'Infinity').as('webhook_id'))
    .limit(1);
  return (await countRows(service, listeners)) === 1;
}

/** Stores the event with a delivery for each webhook of the account that gets events of its type; null if it is stored already. */
export async function insertEvent(
  service: ClientBase,
  { account_id, message_id, type, check, at, share, body }: NewEvent,
): Promise<readonly NewDelivery[] | null> {
  const kept = db
    .insertInto('ops.events')
    .values({ account_id, message_id, type, check_name: check, occurred_at: instant(at), body })
    .onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doNothing())
    .returning('id');
  const event = await readFirst(service, kept);
  return event === null ? null : await readRows(service, insertDeliveries(account_id, event.id, type, share));
}

function insertDeliveries(account_id: bigint, event_id: bigint, type: string, share: number) {
  return db
    .insertInto('ops.deliveries')
    .columns(['account_id', 'event_id', 'webhook_id'])
    .expression(
      db.selectNoFrom([
        sql<bigint>`${account_id}::bigint`.as('account_id'),
        sql<bigint>`${event_id}::bigint`.as('event_id'),
        call('ops.webhooks_to_tell', account_id, type, String(share)).$notNull().as('webhook_id'),
      ]),
    )
    .returning(['account_id', 'id', 'job_id']);
}

/** What an attempt needs; null if the delivery is not pending any more, or its webhook was removed or disabled. */
export async function readDelivery(
  service: Pool,
  account_id: bigint,
  id: bigint,
): Promise<DueDelivery | null> {
  return await readFirst(service, DUE.where('d.account_id', '=', account_id).where('d.id', '=', id));
}

/** The result of one attempt. */
export interface Attempt {
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly fault: string | null;
}

/** Records an attempt. */
export async function recordAttempt(
  service: Pool,
  account_id: bigint,
  id: bigint,
  { state, status, fault }: Attempt,
): Promise<void> {
  const tried = db
    .updateTable('ops.deliveries')
    .set((eb) => ({ state, tries: eb('tries', '+', 1), tried_at: sql`clock_timestamp()`, status, fault }))
    .where('account_id', '=', account_id)
    .where('id', '=', id);
  await countRows(service, tried);
}

/** Disables the webhook and gives up its pending deliveries. */
export async function disableWebhook(service: Pool, account_id: bigint, webhook_id: bigint): Promise<void> {
  await readOne(service, db.selectNoFrom(call('ops.disable_webhook', account_id, webhook_id).as('done')));
  const abandoned = db
    .updateTable('ops.deliveries')
    .set({ state: 'disabled' })
    .where('account_id', '=', account_id)
    .where('webhook_id', '=', webhook_id)
    .where('state', '=', 'pending');
  await countRows(service, abandoned);
}

/** The accounts with a webhook, each with the creation time of its first one. */
export async function readWebhookAccounts(
  service: Pool,
): Promise<readonly { readonly account_id: bigint; readonly since: Instant }[]> {
  const accounts = db
    .selectFrom(call('ops.webhook_accounts').as('account'))
    .select(['account_id', 'since'])
    .$narrowType<{ account_id: NotNull; since: NotNull }>();
  return await readRows(service, accounts);
}

/** True for only one caller in `every_s` seconds, so that only one worker runs a periodic search. */
export async function claimWatch(service: Pool, name: string, every_s: number): Promise<boolean> {
  const now = sql<bigint>`clock_timestamp()`;
  const claim = db
    .insertInto('ops.watches')
    .values({ name, claimed_at: now })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ claimed_at: eb.ref('excluded.claimed_at') }))
        .where(
          'ops.watches.claimed_at',
          '<=',
          sql<bigint>`${now} - ${every_s}::integer * interval '1 second'`,
        ),
    );
  return (await countRows(service, claim)) === 1;
}

/** Deletes old events, and marks deliveries without a job as failed. */
export async function tidyEvents(service: Pool, webhook_queue: string): Promise<void> {
  // A worker that died in its last attempt could not record the failure.
  const lost = db
    .updateTable('ops.deliveries as d')
    .set((eb) => ({ state: 'failed', fault: eb.fn.coalesce('fault', sql.lit('worker_lost')) }))
    .where('d.state', '=', 'pending')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('ops.job as j')
            .select('j.id')
            .where('j.name', '=', webhook_queue)
            .whereRef('j.id', '=', 'd.job_id')
            .where('j.state', '<', 'completed'),
        ),
      ),
    );
  await countRows(service, lost);
  const old = sql<bigint>`clock_timestamp() - interval '90 days'`;
  await countRows(service, db.deleteFrom('ops.events').where('occurred_at', '<', old));
}
