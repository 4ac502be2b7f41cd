/** Makes the webhook event of a refused build, and queues events without failing the build. */
import { isCrossfootError } from '../../errors.ts';
import { findingOf } from '../../failure.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { WebhookEvent } from '../../webhooks/event.ts';
import type { EnqueueEvent } from '../../webhooks/enqueue-event.ts';

interface Build {
  readonly account_id: bigint;
  readonly night: string;
}

/**
 * The event `snapshot.refused` if the figures were refused. Null for any other failure: it is retried, and its event is made
 * after the last retry.
 */
export function refusalEvent({ account_id, night }: Build, error: unknown): WebhookEvent | null {
  if (!isCrossfootError(error)) return null;
  const finding = findingOf(error);
  if (finding === null) return null;
  const { check = error.code, cents_off = null } = finding;
  return { type: 'snapshot.refused', account_id, night, check, cents_off };
}

/** Queues the event. If that fails, the error is only logged: a webhook must not fail a build. */
export async function enqueueOrLog(
  enqueueEvent: EnqueueEvent,
  event: WebhookEvent,
  logger: Logger,
): Promise<void> {
  await enqueueEvent(event).catch((error: unknown) =>
    logger.error('event.untold', { account: event.account_id, outcome: event.type, ...errorFields(error) }),
  );
}
