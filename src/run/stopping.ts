/** How commands obey Ctrl-C: the signal of their context is aborted, and nothing is waited for any longer. */
import { once } from 'node:events';
import { PACE } from './surroundings.ts';

/** Resolves when the process was told to stop. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Resolves when the process was told to stop; rejects when what it cannot work without is lost. */
export async function stoppedUnless(signal: AbortSignal, lost: Promise<never>): Promise<void> {
  await Promise.race([stopped(signal), lost]);
}

/** What the work gives; rejects at once when the process is told to stop, whatever the work still does. */
export async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  // The race keeps listening to the loser, so that its failure is never unhandled.
  return Promise.race([work, stopped(signal).then(() => Promise.reject<Result>(signal.reason))]);
}

/** Waits for an end that a stop brings about, and no longer than this once the process was told to stop. */
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

/** The same resource, whose end is waited for no longer than this once the process was told to stop. */
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
