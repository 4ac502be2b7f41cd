/** Offers the ranges of a build to other workers by the queue, and takes back what no worker has begun. */
import type { Settings } from '../../config.ts';
import { errorFields, type Logger } from '../../log.ts';
import { openRangeQueue, type QueuedRange, type RangeQueue } from '../../ops/range-queue.ts';
import type { Clock } from '../../clock.ts';
import type { NextRange, Offer, ShareRanges, SharedRanges } from '../../snapshot/builder/shared-ranges.ts';
import { CLOCK } from '../machine.ts';
import { openSessions } from '../sessions.ts';

/** How long the build waits before it asks again for a range that a worker holds. */
const POLL_MS = 1_000;
// Each lane of the build sends short statements.
const MAX_SESSIONS = 2;

/** The offer of a builder process. It opens no session before the first offer. */
export function rangeSharing(
  { databaseUrl, ledgerUrl }: Pick<Settings, 'databaseUrl' | 'ledgerUrl'>,
  logger: Logger,
): ShareRanges {
  const url = databaseUrl ?? ledgerUrl;
  return async (offer) => {
    if (url === null) return null;
    try {
      await using opened = new AsyncDisposableStack();
      const sessions = opened.use(
        await openSessions({
          url,
          role: 'cf_service',
          applicationName: 'crossfoot ranges',
          max: MAX_SESSIONS,
          logger,
        }),
      );
      const { pool: service, onError } = sessions;
      // It also looks for workers that died: no other process may do so.
      const queue = await openRangeQueue({ service, supervise: true, onError });
      opened.defer(async () => {
        sessions.expectEnd();
        await queue.close();
      });
      const shared = opened.use(await shareRanges(offer, queue, CLOCK));
      const open = opened.move();
      return { next: (signal) => shared.next(signal), [Symbol.asyncDispose]: () => open.disposeAsync() };
    } catch (error) {
      // The login may lack the right to write; reading is enough to build.
      logger.warn('queue.lost', errorFields(error));
      return null;
    }
  };
}

/** Queues the ranges. Disposing of the result withdraws what is left of them. */
export async function shareRanges(
  { account_id, nonce, moment, ranges }: Offer,
  queue: Pick<RangeQueue, 'offer' | 'takeBack' | 'withdraw'>,
  { sleep }: Pick<Clock, 'sleep'>,
): Promise<SharedRanges> {
  await queue.offer(
    ranges.map(({ table, number, range }): QueuedRange => ({
      account_id: String(account_id),
      build: nonce,
      generated_at: String(moment.generated_at),
      pg_snapshot: moment.pg_snapshot,
      exported_snapshot: moment.exported_snapshot,
      table,
      number,
      ...range,
      from: [...range.from],
      to: range.to === null ? null : [...range.to],
    })),
  );
  const indexOf = (wanted: QueuedRange): number =>
    ranges.findIndex(({ table, number }) => table === wanted.table && number === wanted.number);
  const next = async (signal: AbortSignal): Promise<NextRange | null> => {
    for (;;) {
      signal.throwIfAborted();
      const back = await queue.takeBack(nonce);
      if (back === null) return null;
      if (back !== 'held') return { index: indexOf(back.range), stored: back.stored };
      await sleep(POLL_MS, signal).catch(() => undefined);
    }
  };
  // A range that stays in the queue ends by itself, because the moment of its build has ended.
  return { next, [Symbol.asyncDispose]: () => queue.withdraw(nonce).catch(() => undefined) };
}
