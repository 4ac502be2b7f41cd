/** Keeps the session of a moment awake while other connections read at the same moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** A fifth of the pause after which PostgreSQL ends the session of a moment. */
const EVERY_MS = 60_000;

/** Waits for `work`; until then, it sends a statement at least every minute. */
export async function keepAwake<Result>(
  client: Pick<ClientBase, 'query'>,
  work: Promise<Result>,
  every_ms = EVERY_MS,
): Promise<Result> {
  const ended = new AbortController();
  const send = async (): Promise<void> => {
    for (;;) {
      await sleep(every_ms, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      await client.query('select');
    }
  };
  const sending = send();
  try {
    // A lost session ends the wait: nothing that the other connections read is of use then.
    return await Promise.race([work, sending.then(() => work)]);
  } finally {
    ended.abort();
    // The connection takes one statement at a time.
    await sending.catch(() => undefined);
  }
}
