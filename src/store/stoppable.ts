/**
 * A store and a pace that end with the build: once it is stopped, no call begins, no piece of a file is read on and
 * no wait goes on. A call that is under way is awaited, so that nobody has to guess what it did.
 */
import type { Pace } from '../clock.ts';
import type { Store } from './store.ts';

/** The same pace, whose waits the signal cuts short. */
export function stoppablePace(pace: Pace, signal: AbortSignal): Pace {
  return { ...pace, sleep: (milliseconds) => pace.sleep(milliseconds, signal) };
}

/** The same store, refusing every call after the signal but a deletion. */
export function stoppableStore(store: Store, signal: AbortSignal): Store {
  async function call<Result>(begin: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    return begin();
  }
  return {
    create: (key, body) =>
      call(() =>
        store.create(
          key,
          body instanceof Uint8Array ? body : { ...body, open: () => untilStopped(body.open(), signal) },
        ),
      ),
    readSmall: (key, cap_bytes) => call(() => store.readSmall(key, cap_bytes)),
    stat: (key) => call(() => store.stat(key)),
    readRange: (key, offset, length) => untilStopped(store.readRange(key, offset, length), signal),
    list: (prefix) => untilStopped(store.list(prefix), signal),
    // A stopped build removes what it created.
    delete: (key) => store.delete(key),
  };
}

/** The same pieces, ending with the signal's reason in the place of the next one. */
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
