/** Stores a webhook event and queues its deliveries in one transaction, so that a crash loses no delivery. */
import type { Pool } from 'pg';
import type { Logger } from '../log.ts';
import { takeSession } from '../postgres-errors.ts';
import type { WebhookQueue } from './queue.ts';
import { hasEvent, insertEvent, refusedSince } from './records.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import { bodyOf, messageIdOf, type WebhookEvent } from './event.ts';

/** Stores an event and queues a delivery for every webhook of its account. A second call changes nothing. */
export type EnqueueEvent = (event: WebhookEvent) => Promise<void>;

interface EnqueueTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly queue: Pick<WebhookQueue, 'enqueue'>;
  /** The amounts that a published snapshot's totals leave out, from its manifest. */
  readonly leftOutOf: (account_id: bigint, snapshot_id: string) => Promise<Manifest['left_out']>;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
  readonly logger: Logger;
}

/** Makes the function that every source of events calls. */
export function createEnqueueEvent({
  service,
  queue,
  leftOutOf,
  baseUrl,
  now,
  logger,
}: EnqueueTools): EnqueueEvent {
  return async (event) => {
    const message_id = messageIdOf(event);
    // The search for missed events calls this again for every snapshot of the last two days. So the manifest is read only for
    // a new event, and not while a transaction is open.
    const published = event.type === 'snapshot.published';
    if (published && (await hasEvent(service, event.account_id, message_id))) return;
    const left_out = published ? await leftOutOf(event.account_id, event.snapshot_id) : null;
    using pooled = await takeSession(service);
    const session = pooled.client;
    try {
      await session.query('begin');
      const { account_id, type } = event;
      const at = now();
      const check = event.type === 'snapshot.refused' ? event.check : null;
      const since = check === null ? null : await refusedSince(session, account_id, check);
      const deliveries = await insertEvent(session, {
        account_id,
        message_id,
        type,
        check,
        at,
        body: bodyOf(event, { at, since: since ?? at, left_out, baseUrl }),
      });
      if (deliveries !== null && deliveries.length > 0) await queue.enqueue(session, deliveries);
      await session.query('commit');
      if (deliveries !== null && deliveries.length > 0) {
        logger.info('event.told', { account: account_id, outcome: type, rows: deliveries.length });
      }
    } catch (error) {
      await pooled.rollback();
      throw error;
    }
  };
}
