/** How commands obey Ctrl-C: the signal of their context is aborted, and nothing is waited for any longer. */
import { once } from 'node:events';

/** Resolves when the process was told to stop. */
export async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What the work gives; rejects at once when the process is told to stop, whatever the work still does. */
export async function unlessStopped<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  // The race keeps listening to the loser, so that its failure is never unhandled.
  return Promise.race([work, stopped(signal).then(() => Promise.reject<Result>(signal.reason))]);
}
