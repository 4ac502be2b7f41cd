/** Delivers snapshots: takes a delivery from the queue, copies its snapshot, records the outcome. Any worker may take any. */
import { isCrossfootError } from '../errors.ts';
import { errorFields } from '../log.ts';
import { beat } from '../ops/beat.ts';
import { type LaneOptions, workLanes } from '../ops/lanes.ts';
import { stoppableClock, stoppableStore } from '../store/stoppable.ts';
import type { ReplacingStore } from '../store/store.ts';
import type { EnqueueEvent } from '../webhooks/enqueue-event.ts';
import { copySnapshot, type CopyTools } from './copy-snapshot.ts';
import type { DeliveryQueue, TakenDelivery } from './queue.ts';
import { pruneTarget } from './prune-target.ts';
import { type DueDelivery, type Outcome, readDelivery, recordAttempt, recordFault } from './records.ts';
import { inItsOwnWords } from './target-store.ts';
import { toMs } from '../instant.ts';

/** How long an idle lane waits before it looks for work again. */
const POLL_MS = 2_000;
/** The number of failed attempts, over some ten minutes, after which webhooks get an event. */
const TOLD_AFTER_TRIES = 5;

export interface DeliverOptions extends LaneOptions, CopyTools {
  readonly queue: DeliveryQueue;
  /** How many deliveries at the same time: a slow store occupies a lane, and no build waits for it. */
  readonly lanes: number;
  /** Queues an event for the webhooks of the account. */
  readonly enqueueEvent: EnqueueEvent;
  /** Opens the store of a target. Throws `delivery_refused` if it may not be used. */
  readonly openTarget: (due: DueDelivery) => Promise<ReplacingStore>;
}

/** Delivers until aborted, or until `onIdle` has ended every lane. A failure of a target does not reject the promise. */
export async function deliverSnapshots(options: DeliverOptions): Promise<void> {
  const { queue, lanes } = options;
  await workLanes({ queue, lanes, poll_ms: POLL_MS, run: (taken) => handle(taken, options) }, options);
}

async function handle(taken: TakenDelivery, options: DeliverOptions): Promise<void> {
  const { queue, service, signal, clock } = options;
  const due = await readDelivery(service, taken.account_id, taken.delivery_id);
  // Another worker made the delivery and died before it completed the job, or the target was removed.
  if (due === null) return await queue.complete(taken);
  const { account_id, target_id, snapshot_id } = due;
  const logger = options.logger.with({ account: account_id, target: target_id, snapshot: snapshot_id });
  const [lost, ended] = [new AbortController(), new AbortController()];
  const beating = beat(taken, { ...options, logger, lost, ended });
  const begun = clock.now();
  try {
    const stop = AbortSignal.any([signal, lost.signal]);
    const tools = { ...options, logger, clock: stoppableClock(clock, stop) };
    const target = stoppableTarget(inItsOwnWords(await options.openTarget(due)), stop);
    const isWhole = await unlessStopped(stop, copySnapshot(due, target, tools));
    const ms = toMs(clock.now() - begun);
    await recordAttempt(service, due, { state: isWhole ? 'delivered' : 'withdrawn', fault: null });
    logger.info('delivery.finished', { outcome: isWhole ? 'delivered' : 'withdrawn', ms });
    if (isWhole) {
      await tell('snapshot.delivered', due, null, tools);
      await unlessStopped(stop, prune(due, target, tools));
    }
    await queue.complete(taken);
  } catch (error) {
    if (lost.signal.aborted) return;
    if (signal.aborted) return await queue.giveBack(taken);
    await settleFailure(taken, due, error, { ...options, logger });
  } finally {
    ended.abort();
    await beating;
  }
}

/** The result of the work. Rejects once the signal is aborted, also while a store holds a call for ever by a byte now and then. */
async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => stopped.reject(signal.reason), { once: true });
  return await Promise.race([work, stopped.promise]);
}

/** The target, which refuses every call but a deletion after the signal. */
function stoppableTarget(target: ReplacingStore, signal: AbortSignal): ReplacingStore {
  return {
    ...target,
    ...stoppableStore(target, signal),
    replace: async (...change) => {
      signal.throwIfAborted();
      return await target.replace(...change);
    },
  };
}

/** Deletes what no longer stays. A missing right to delete does not undo the delivery; the next one tries again. */
async function prune(due: DueDelivery, target: ReplacingStore, tools: DeliverOptions): Promise<void> {
  try {
    await pruneTarget(due, target, tools);
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    await recordFault(tools.service, due, `older snapshots were not deleted: ${error.message}`);
    tools.logger.warn('delivery.unpruned', errorFields(error));
  }
}

/** Queues the event of a delivery. A failure goes to the log: the delivery itself is recorded. */
async function tell(
  type: 'snapshot.delivered' | 'snapshot.undelivered',
  { account_id, target_id, snapshot_id, seq }: DueDelivery,
  reason: string | null,
  { enqueueEvent, logOf, logger }: DeliverOptions,
): Promise<void> {
  try {
    const night = (await logOf(account_id)).entries[seq - 1]?.night ?? null;
    await enqueueEvent({ type, account_id, snapshot_id, night, target_id, reason });
  } catch (error) {
    logger.error('event.untold', { account: account_id, outcome: type, ...errorFields(error) });
  }
}

async function settleFailure(
  taken: TakenDelivery,
  due: DueDelivery,
  error: unknown,
  options: DeliverOptions,
): Promise<void> {
  const { queue, service, logger } = options;
  const fault = faultOf(error);
  const outcome: Outcome = { state: taken.isLastTry ? 'failed' : 'pending', fault };
  await recordAttempt(service, due, outcome);
  await queue.fail(taken, { code: isCrossfootError(error) ? error.code : 'unforeseen' });
  const fields = { attempt: taken.retryCount + 1, ...errorFields(error) };
  if (taken.isLastTry) logger.error('delivery.abandoned', fields);
  else logger.warn('delivery.failed', fields);
  // One refusal may pass within minutes.
  if (taken.isLastTry || taken.retryCount + 1 >= TOLD_AFTER_TRIES) {
    await tell('snapshot.undelivered', due, fault, options);
  }
}

/** Only our own messages are stored: one of a library may contain an address or a secret. */
function faultOf(error: unknown): string {
  return isCrossfootError(error) ? error.message : 'Unexpected error; the log of the worker has the details.';
}
