/** Builds that are told of: what they published, or why the audit refused it. */
import { isCrossfootError, REFUSAL_CODES } from '../../errors.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { TellableEvent } from '../../webhooks/event.ts';
import { centsOff } from '../../webhooks/cents-off.ts';
import type { Tell } from '../../webhooks/tell.ts';

interface Build {
  readonly account_id: bigint;
  readonly night: string;
}

/** What a refusal is told as; null for an error that is none. A failure is told once nobody tries again. */
export function refusalOf({ account_id, night }: Build, error: unknown): TellableEvent | null {
  if (!isCrossfootError(error) || !REFUSAL_CODES.some((code) => code === error.code)) return null;
  const [check, expected, found] = ['check', 'expected', 'found'].map((name) => {
    const text = error.data[name];
    return typeof text === 'string' ? text : null;
  });
  return {
    type: 'snapshot.refused',
    account_id,
    night,
    check: check ?? error.code,
    cents_off: expected && found ? centsOff({ expected, found }) : null,
  };
}

/** Tells, or says in the log that it could not: no build fails because nobody heard of it. */
export async function tellOrLog(tell: Tell, event: TellableEvent, logger: Logger): Promise<void> {
  await tell(event).catch((error: unknown) =>
    logger.error('event.untold', { account: event.account_id, outcome: event.type, ...errorFields(error) }),
  );
}
