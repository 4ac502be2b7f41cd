/** Helpers for Ctrl-C: a command waits for work or for the abort of its signal, whichever comes first. */
import { once } from 'node:events';
import { CLOCK } from './machine.ts';

/** Resolves when the signal is aborted. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves when the signal is aborted; rejects if `lost` rejects before. */
export async function stoppedUnless(signal: AbortSignal, lost: Promise<never>): Promise<void> {
  await Promise.race([stopped(signal), lost]);
}

/** The result of the work; rejects as soon as the signal is aborted, even if the work continues. */
export async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  // `Promise.race` also handles the promise that loses, so its failure is never an unhandled rejection.
  return Promise.race([work, stopped(signal).then(() => Promise.reject<Result>(signal.reason))]);
}

/** Waits for `ending`: without limit until the signal is aborted, from then on at most `grace_ms`. */
export async function unlessOverdue(
  signal: AbortSignal,
  ending: Promise<unknown>,
  grace_ms: number,
): Promise<void> {
  const ended = new AbortController();
  const late = stopped(signal).then(() => CLOCK.sleep(grace_ms, ended.signal).catch(() => undefined));
  try {
    await Promise.race([ending, late]);
  } finally {
    ended.abort();
  }
}

/** Wraps a resource: once the signal is aborted, its disposal is awaited for at most `grace_ms`. */
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
