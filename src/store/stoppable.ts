/**
 * A store and a clock that stop with a build or a scrub. Once the signal is aborted, no call but a deletion begins, no read
 * continues and no wait continues. A running call is awaited, so that its outcome is known.
 */
import type { Clock } from '../clock.ts';
import type { Store } from './store.ts';

/** The same clock, with waits that end when the signal is aborted. */
export function stoppableClock(clock: Clock, signal: AbortSignal): Clock {
  return { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds, signal) };
}

/** The same store. After the signal it refuses every call except a deletion. */
export function stoppableStore(store: Store, signal: AbortSignal): Store {
  async function call<Result>(begin: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    return begin();
  }
  return {
    ...store,
    create: (key, body, onDigest) =>
      call(() =>
        store.create(
          key,
          body instanceof Uint8Array ? body : { ...body, open: () => untilStopped(body.open(), signal) },
          onDigest,
        ),
      ),
    readSmall: (key, cap_bytes) => call(() => store.readSmall(key, cap_bytes)),
    stat: (key) => call(() => store.stat(key)),
    readRange: (...range) => untilStopped(store.readRange(...range), signal),
    list: (prefix) => untilStopped(store.list(prefix), signal),
    // Deletions go on, because a stopped build deletes the objects that it created.
    delete: (key) => store.delete(key),
  };
}

/** The same pieces. Once the signal is aborted, the next piece throws the signal's reason. */
export async function* untilStopped<Piece>(
  pieces: AsyncIterable<Piece>,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  signal.throwIfAborted();
  for await (const piece of pieces) {
    yield piece;
    signal.throwIfAborted();
  }
}
