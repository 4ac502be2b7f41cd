/** Delivers webhook events: takes a delivery from the queue, posts it, records the outcome. Any worker may take any delivery. */
import type { Pool } from 'pg';
import { type LaneOptions, workLanes } from '../ops/lanes.ts';
import type { TakenDelivery, WebhookQueue } from './queue.ts';
import { disableWebhook, type DueDelivery, recordAttempt, readDelivery } from './records.ts';
import type { PostAnswer } from './post.ts';
import { sendMessage, type SendTools } from './send-message.ts';
import { SECOND, toMs } from '../instant.ts';

/** How long an idle lane (one loop of take and post) waits before it looks for work again. */
const POLL_MS = 2_000;
const GONE = 410;

export interface DeliverOptions extends LaneOptions, SendTools {
  readonly queue: WebhookQueue;
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  /** How many deliveries at the same time: a receiver that hangs occupies a lane for ten seconds. */
  readonly lanes: number;
  /** Called with the outcome of every attempt. */
  readonly onAttempt: (outcome: 'delivered' | 'disabled' | 'failed') => void;
}

/** Delivers until aborted, or until `onIdle` has ended every lane. A failure of a receiver does not reject the promise. */
export async function deliver(options: DeliverOptions): Promise<void> {
  const { queue, lanes } = options;
  await workLanes({ queue, lanes, poll_ms: POLL_MS, run: (taken) => handle(taken, options) }, options);
}

async function handle(taken: TakenDelivery, options: DeliverOptions): Promise<void> {
  const { queue, service, signal } = options;
  const delivery = await readDelivery(service, taken.account_id, taken.delivery_id);
  // Another worker made the delivery and died before it completed the job, or the webhook was removed.
  if (delivery === null) return await queue.complete(taken);
  const begun = options.now();
  try {
    const answer = await send(delivery, options);
    await settle(taken, delivery, answer, toMs(options.now() - begun), options);
  } catch (error) {
    if (!signal.aborted) throw error;
    await queue.giveBack(taken);
  }
}

async function send(delivery: DueDelivery, options: DeliverOptions): Promise<PostAnswer> {
  const sent_s = Number(options.now() / SECOND);
  return await sendMessage({ ...delivery, sent_s }, options);
}

async function settle(
  taken: TakenDelivery,
  { webhook_id, type }: DueDelivery,
  answer: PostAnswer,
  ms: number,
  { queue, service, logger, onAttempt }: DeliverOptions,
): Promise<void> {
  const { account_id, delivery_id, retryCount, isLastTry } = taken;
  const status = 'status' in answer ? answer.status : null;
  const fault = 'fault' in answer ? answer.fault : null;
  const attempt = retryCount + 1;
  const outcome_fields = { account: account_id, webhook: webhook_id, outcome: type, attempt, ms };
  if (status !== null && status >= 200 && status < 300) {
    // Recorded before the job completes: a crash in between sends the message twice, but never loses it.
    await recordAttempt(service, account_id, delivery_id, { state: 'delivered', status, fault });
    await queue.complete(taken);
    onAttempt('delivered');
    logger.info('webhook.delivered', { ...outcome_fields, status });
  } else if (status === GONE) {
    await recordAttempt(service, account_id, delivery_id, { state: 'disabled', status, fault });
    await disableWebhook(service, account_id, webhook_id);
    await queue.complete(taken);
    onAttempt('disabled');
    logger.warn('webhook.disabled', { ...outcome_fields, status });
  } else {
    await recordAttempt(service, account_id, delivery_id, {
      state: isLastTry ? 'failed' : 'pending',
      status,
      fault,
    });
    const postponed_s = 'retry_after_s' in answer ? answer.retry_after_s : null;
    await queue.fail(taken, fault ?? `status_${status}`, postponed_s);
    onAttempt('failed');
    const failed = { ...outcome_fields, status: status ?? undefined, code: fault ?? undefined };
    if (isLastTry) logger.error('webhook.abandoned', failed);
    else logger.warn('webhook.failed', failed);
  }
}
