/** How commands react to Ctrl-C: the signal of their context is aborted, and they stop waiting. */
import { once } from 'node:events';
import { PACE } from './surroundings.ts';

/** Resolves when the signal is aborted. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves when the signal is aborted; rejects when `lost` does. */
export async function stoppedUnless(signal: AbortSignal, lost: Promise<never>): Promise<void> {
  await Promise.race([stopped(signal), lost]);
}

/** The result of the work; rejects at once when the signal is aborted, even if the work goes on. */
export async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  // `Promise.race` still handles the loser, so its failure is never unhandled.
  return Promise.race([work, stopped(signal).then(() => Promise.reject<Result>(signal.reason))]);
}

/** Waits for `ending`: without limit until the signal is aborted, from then on at most `grace_ms`. */
export async function unlessOverdue(
  signal: AbortSignal,
  ending: Promise<unknown>,
  grace_ms: number,
): Promise<void> {
  const ended = new AbortController();
  const late = stopped(signal).then(() => PACE.sleep(grace_ms, ended.signal).catch(() => undefined));
  try {
    await Promise.race([ending, late]);
  } finally {
    ended.abort();
  }
}

/** The same resource; once the signal is aborted, its disposal is awaited at most this long. */
export function endingInTime(
  resource: AsyncDisposable,
  signal: AbortSignal,
  grace_ms: number,
): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: () =>
      unlessOverdue(signal, Promise.resolve(resource[Symbol.asyncDispose]()), grace_ms),
  };
}
