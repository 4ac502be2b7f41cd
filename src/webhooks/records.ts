/** Events and what became of their deliveries, as tables of schema `ops`. */
import type { ClientBase, Pool } from 'pg';

/** An event to be kept, once. */
export interface NewEvent {
  readonly account_id: bigint;
  readonly message_id: string;
  readonly type: string;
  /** Of a refusal: which check. */
  readonly check: string | null;
  /** Microseconds since 1970. */
  readonly at: bigint;
  /** The bytes that are sent. */
  readonly body: string;
}

/** A delivery that was made for an event, and the job of the queue that is to make it. */
export interface NewDelivery {
  readonly account_id: bigint;
  readonly id: bigint;
  readonly job_id: string;
}

/** What is needed to try a delivery. */
export interface DueDelivery {
  readonly message_id: string;
  readonly body: string;
  readonly type: string;
  readonly webhook_id: bigint;
  readonly url: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

/** `pending` is tried again; the others are the end. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'disabled';

/**
 * Since when this check refuses the account's snapshots, in microseconds since 1970: its first refusal since one was
 * published. Null when this would be the first.
 */
export async function refusedSince(
  service: ClientBase,
  account_id: bigint,
  check: string,
): Promise<bigint | null> {
  const { rows } = await service.query<{ since: bigint | null }>(SINCE, [account_id, check]);
  return rows[0]?.since ?? null;
}

/** True for an event that was kept before. */
export async function hasEvent(service: Pool, account_id: bigint, message_id: string): Promise<boolean> {
  return (await service.query(HOLDS, [account_id, message_id])).rowCount === 1;
}

/** Keeps the event with a delivery for each webhook that the account has; null when it was kept before. */
export async function insertEvent(
  service: ClientBase,
  { account_id, message_id, type, check, at, body }: NewEvent,
): Promise<readonly NewDelivery[] | null> {
  const kept = await service.query<{ id: bigint }>(KEEP, [account_id, message_id, type, check, at, body]);
  const [event] = kept.rows;
  if (event === undefined) return null;
  return (await service.query<NewDelivery>(DELIVERIES, [account_id, event.id])).rows;
}

/** What a delivery needs; null when it was made, its webhook was removed or is disabled. */
export async function readDelivery(
  service: Pool,
  account_id: bigint,
  id: bigint,
): Promise<DueDelivery | null> {
  return (await service.query<DueDelivery>(DUE, [account_id, id])).rows[0] ?? null;
}

/** What came of one try. */
export interface Attempt {
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly fault: string | null;
}

/** Writes a try down. */
export async function recordAttempt(
  service: Pool,
  account_id: bigint,
  id: bigint,
  { state, status, fault }: Attempt,
): Promise<void> {
  await service.query(TRIED, [account_id, id, state, status, fault]);
}

/** Sends nothing to that webhook any more, and gives up what was to be sent to it. */
export async function disableWebhook(service: Pool, account_id: bigint, webhook_id: bigint): Promise<void> {
  await service.query('select ops.disable_webhook($1, $2)', [account_id, webhook_id]);
  await service.query(ABANDON, [account_id, webhook_id]);
}

/** The accounts with a webhook, and since when, in microseconds since 1970. */
export async function readWebhookAccounts(
  service: Pool,
): Promise<readonly { readonly account_id: bigint; readonly since: bigint }[]> {
  const { rows } = await service.query<{ account_id: bigint; since: bigint }>(
    'select account_id, since from ops.webhook_accounts()',
  );
  return rows;
}

/** True for the one caller, of all, whose turn it is to look: as often as so many seconds have passed. */
export async function claimWatch(service: Pool, name: string, every_s: number): Promise<boolean> {
  return (await service.query(CLAIM, [name, every_s])).rowCount === 1;
}

/** Forgets what nobody will ask about any more, and says of deliveries whose job is gone that they failed. */
export async function tidyEvents(service: Pool, webhook_queue: string): Promise<void> {
  await service.query(LOST, [webhook_queue]);
  await service.query(FORGET);
}

const SINCE = `
  select min(occurred_at) as since from ops.events
  where account_id = $1 and type = 'snapshot.refused' and check_name = $2 and occurred_at > coalesce(
    (select max(occurred_at) from ops.events where account_id = $1 and type = 'snapshot.published'), '-infinity')`;

const HOLDS = 'select from ops.events where account_id = $1 and message_id = $2';

const KEEP = `
  insert into ops.events (account_id, message_id, type, check_name, occurred_at, body)
  values ($1, $2, $3, $4, timestamptz 'epoch' + $5::bigint * interval '1 microsecond', $6)
  on conflict (account_id, message_id) do nothing returning id`;

const DELIVERIES = `
  insert into ops.deliveries (account_id, event_id, webhook_id)
  select $1, $2, webhook_id from ops.active_webhooks($1) as webhook_id
  returning account_id, id, job_id`;

const DUE = `
  select e.message_id, e.body, e.type, d.webhook_id, t.url, t.secrets
  from ops.deliveries d
  join ops.events e on e.account_id = d.account_id and e.id = d.event_id
  cross join lateral ops.webhook_target(d.account_id, d.webhook_id) as t
  where d.account_id = $1 and d.id = $2 and d.state = 'pending'`;

const TRIED = `
  update ops.deliveries set state = $3, tries = tries + 1, tried_at = clock_timestamp(), status = $4, fault = $5
  where account_id = $1 and id = $2`;

const ABANDON = `
  update ops.deliveries set state = 'disabled' where account_id = $1 and webhook_id = $2 and state = 'pending'`;

const CLAIM = `
  insert into ops.watches (name, claimed_at) values ($1, clock_timestamp())
  on conflict (name) do update set claimed_at = excluded.claimed_at
  where watches.claimed_at <= clock_timestamp() - $2::integer * interval '1 second'`;

// A worker that was lost at the last try could not say so.
const LOST = `
  update ops.deliveries d set state = 'failed', fault = coalesce(fault, 'worker_lost')
  where d.state = 'pending' and not exists (
    select from ops.job j where j.name = $1 and j.id = d.job_id and j.state < 'completed')`;

const FORGET = `delete from ops.events where occurred_at < clock_timestamp() - interval '90 days'`;
