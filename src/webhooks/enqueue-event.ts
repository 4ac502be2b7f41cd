/** Stores a webhook event and queues its deliveries in one transaction, so that a crash loses no delivery. */
import type { Pool } from 'pg';
import type { Logger } from '../log.ts';
import { takeSession } from '../postgres-errors.ts';
import type { WebhookQueue } from './queue.ts';
import { movedShare, type NightChanges } from './night-changes.ts';
import { hasEvent, hasListener, insertEvent, refusedSince } from './records.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import { bodyOf, messageIdOf, type WebhookEvent } from './event.ts';
import type { Instant } from '../instant.ts';

/** Stores an event and queues a delivery for every webhook of its account. A second call changes nothing. */
export type EnqueueEvent = (event: WebhookEvent) => Promise<void>;

interface EnqueueTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly queue: Pick<WebhookQueue, 'enqueue'>;
  /** The amounts that a published snapshot's totals leave out, from its manifest. */
  readonly leftOutOf: (account_id: bigint, snapshot_id: string) => Promise<Manifest['left_out']>;
  /** What changed since the snapshot before; null while their comparison is not stored. */
  readonly changesOf: (account_id: bigint, snapshot_id: string) => Promise<NightChanges | null>;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
  readonly now: () => Instant;
  readonly logger: Logger;
}

/** Makes the function that every source of events calls. */
export function createEnqueueEvent({
  service,
  queue,
  leftOutOf,
  changesOf,
  baseUrl,
  now,
  logger,
}: EnqueueTools): EnqueueEvent {
  return async (event) => {
    const message_id = messageIdOf(event);
    // The search for missed events calls this again for every snapshot of the last two days. So the manifest and the comparison
    // are read only for a new event, and not while a transaction is open.
    const { account_id, type } = event;
    const published = type === 'snapshot.published';
    const compared = type === 'totals.moved' || type === 'budget.passed';
    // A comparison may be long, so it is read only if a webhook asked for such events.
    if (compared && !(await hasListener(service, account_id, type))) return;
    if ((published || compared) && (await hasEvent(service, account_id, message_id))) return;
    const left_out = published ? await leftOutOf(account_id, event.snapshot_id) : null;
    const changes = compared ? await changesOf(account_id, event.snapshot_id) : null;
    if (compared && changes === null) return;
    using pooled = await takeSession(service);
    const session = pooled.client;
    try {
      await session.query('begin');
      const at = now();
      const check = type === 'snapshot.refused' ? event.check : null;
      const since = check === null ? null : await refusedSince(session, account_id, check);
      const deliveries = await insertEvent(session, {
        account_id,
        message_id,
        type,
        check,
        at,
        share: shareOf(type, changes),
        body: bodyOf(event, { at, since: since ?? at, left_out, changes, baseUrl }),
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

/** How much there is to tell: the share by which totals moved, 0 without a passed budget, and all of any other event. */
function shareOf(type: WebhookEvent['type'], changes: NightChanges | null): number {
  if (changes === null) return Infinity;
  if (type === 'totals.moved') return movedShare(changes);
  return changes.budgets.length === 0 ? 0 : Infinity;
}
