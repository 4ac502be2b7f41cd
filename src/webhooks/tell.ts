/** Tells an account what happened: kept and queued in one transaction, so that whatever dies afterwards loses nothing. */
import type { Pool } from 'pg';
import type { Logger } from '../log.ts';
import type { WebhookQueue } from './queue.ts';
import { holdsEvent, keepEvent, refusedSince } from './records.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import { bodyOf, messageIdOf, type TellableEvent } from './event.ts';

/** Keeps an event and queues it for every webhook of its account; doing so again changes nothing. */
export type Tell = (event: TellableEvent) => Promise<void>;

interface TellTools {
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly queue: Pick<WebhookQueue, 'enqueue'>;
  /** What the manifest of a published snapshot says is in no total. */
  readonly leftOutOf: (account_id: bigint, snapshot_id: string) => Promise<Manifest['left_out']>;
  /** The public address of the API, ending in /v1. */
  readonly baseUrl: string;
  /** Microseconds since 1970. */
  readonly now: () => bigint;
  readonly logger: Logger;
}

/** Makes the one function that everything with something to say calls. */
export function createTell({ service, queue, leftOutOf, baseUrl, now, logger }: TellTools): Tell {
  return async (event) => {
    const message_id = messageIdOf(event);
    // The watch tells of every snapshot of two days again: the manifest is read only for a new one, and not while a
    // transaction is open.
    const published = event.type === 'snapshot.published';
    if (published && (await holdsEvent(service, event.account_id, message_id))) return;
    const left_out = published ? await leftOutOf(event.account_id, event.snapshot_id) : null;
    const session = await service.connect();
    let lost: Error | undefined;
    const lose = (error: Error): void => {
      lost ??= error;
    };
    // Outside the pool nobody else listens: a session that ends between two statements would end the program.
    session.on('error', lose);
    try {
      await session.query('begin');
      const { account_id, type } = event;
      const at = now();
      const check = event.type === 'snapshot.refused' ? event.check : null;
      const since = check === null ? null : await refusedSince(session, account_id, check);
      const deliveries = await keepEvent(session, {
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
      await session.query('rollback').catch(lose);
      throw error;
    } finally {
      session.off('error', lose);
      session.release(lost);
    }
  };
}
