/** Delivers snapshots: takes a delivery from the queue, copies its snapshot, records the outcome. Any worker may take any. */
import { isCrossfootError } from '../errors.ts';
import { errorFields } from '../log.ts';
import { beat } from '../ops/beat.ts';
import { type LaneOptions, workLanes } from '../ops/lanes.ts';
import { stoppablePace, stoppableStore } from '../store/stoppable.ts';
import type { ReplacingStore } from '../store/store.ts';
import { copySnapshot, type CopyTools } from './copy-snapshot.ts';
import type { DeliveryQueue, TakenDelivery } from './queue.ts';
import { type DueDelivery, type Outcome, readDelivery, recordAttempt } from './records.ts';
import { inItsOwnWords } from './target-store.ts';

/** How long an idle lane waits before it looks for work again. */
const POLL_MS = 2_000;

export interface DeliverOptions extends LaneOptions, CopyTools {
  readonly queue: DeliveryQueue;
  /** How many deliveries at the same time: a slow store occupies a lane, and no build waits for it. */
  readonly lanes: number;
  /** Opens the store of a target. Throws `delivery_refused` if it may not be used. */
  readonly openTarget: (due: DueDelivery) => Promise<ReplacingStore>;
}

/** Delivers until aborted, or until `onIdle` has ended every lane. A failure of a target does not reject the promise. */
export async function deliverSnapshots(options: DeliverOptions): Promise<void> {
  const { queue, lanes } = options;
  await workLanes({ queue, lanes, poll_ms: POLL_MS, run: (taken) => handle(taken, options) }, options);
}

async function handle(taken: TakenDelivery, options: DeliverOptions): Promise<void> {
  const { queue, service, signal, pace } = options;
  const due = await readDelivery(service, taken.account_id, taken.delivery_id);
  // Another worker made the delivery and died before it completed the job, or the target was removed.
  if (due === null) return await queue.complete(taken);
  const { account_id, target_id, snapshot_id } = due;
  const logger = options.logger.with({ account: account_id, target: target_id, snapshot: snapshot_id });
  const [lost, ended] = [new AbortController(), new AbortController()];
  const beating = beat(taken, { ...options, logger, lost, ended });
  const begun = pace.now();
  try {
    const isWhole = await attempt(due, AbortSignal.any([signal, lost.signal]), options);
    const ms = Number((pace.now() - begun) / 1_000n);
    await recordAttempt(service, due, { state: isWhole ? 'delivered' : 'withdrawn', fault: null });
    await queue.complete(taken);
    logger.info('delivery.finished', { outcome: isWhole ? 'delivered' : 'withdrawn', ms });
  } catch (error) {
    if (lost.signal.aborted) return;
    if (signal.aborted) return await queue.giveBack(taken);
    await settleFailure(taken, due, error, { ...options, logger });
  } finally {
    ended.abort();
    await beating;
  }
}

async function attempt(
  due: DueDelivery,
  signal: AbortSignal,
  { openTarget, ...tools }: DeliverOptions,
): Promise<boolean> {
  const target = inItsOwnWords(await openTarget(due));
  const stoppable = {
    ...target,
    ...stoppableStore(target, signal),
    replace: async (...change: Parameters<ReplacingStore['replace']>) => {
      signal.throwIfAborted();
      return await target.replace(...change);
    },
  };
  return await copySnapshot(due, stoppable, { ...tools, pace: stoppablePace(tools.pace, signal) });
}

async function settleFailure(
  taken: TakenDelivery,
  due: DueDelivery,
  error: unknown,
  { queue, service, logger }: DeliverOptions,
): Promise<void> {
  const outcome: Outcome = { state: taken.isLastTry ? 'failed' : 'pending', fault: faultOf(error) };
  await recordAttempt(service, due, outcome);
  await queue.fail(taken, { code: isCrossfootError(error) ? error.code : 'unforeseen' });
  const fields = { attempt: taken.retryCount + 1, ...errorFields(error) };
  if (taken.isLastTry) logger.error('delivery.abandoned', fields);
  else logger.warn('delivery.failed', fields);
}

/** Only our own messages are stored: one of a library may contain an address or a secret. */
function faultOf(error: unknown): string {
  return isCrossfootError(error) ? error.message : 'unexpected error; the log of the worker has the details';
}
