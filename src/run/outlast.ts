/**
 * Repeats a step of a program that starts, if the embedded PostgreSQL ended during it. The supervisor starts PostgreSQL
 * again, on the same port and with the same logins, so the step can simply run again.
 */
import { isCrossfootError } from '../errors.ts';
import { lostSession } from '../postgres-errors.ts';
import type { Databases } from './opened-databases.ts';

const PAUSE_MS = 500;
/** A step that itself ends PostgreSQL each time must not run for ever. */
const MAX_REPEATS = 10;

export interface Outlasted {
  /** How often PostgreSQL has ended by itself until now. */
  readonly ends: () => number;
  /** True if PostgreSQL accepts a connection. */
  readonly answers: () => Promise<boolean>;
  /** Rejects once PostgreSQL is not started again. */
  readonly lost: Promise<never>;
}

/** A server that this process does not start again. */
export const UNSUPERVISED: Pick<Databases, 'ends' | 'lost' | 'outlast'> = {
  ends: () => 0,
  outlast: (step) => step(),
  lost: new Promise<never>(() => undefined),
};

interface Tools {
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs the step, which must be repeatable; rejects with its error if PostgreSQL did not end during it. */
export async function outlast<Result>(
  step: () => Promise<Result>,
  { ends, answers, lost }: Outlasted,
  { sleep, signal }: Tools,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    const before = ends();
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      // A session may break before the end of its server is noticed, and a server that has ended accepts no connection.
      const ended = hasEnded(error) || !(await answers()) || ends() !== before;
      if (!ended || retries === MAX_REPEATS) throw error;
    }
    do await Promise.race([lost, sleep(PAUSE_MS, signal)]);
    while (!(await answers()));
  }
}

const ENDED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** True of the error of a session that its server has ended, or that found no server. */
function hasEnded(error: unknown): boolean {
  if (error instanceof SuppressedError) return hasEnded(error.suppressed) || hasEnded(error.error);
  if (isCrossfootError(error)) {
    return error.code === 'database_unreachable' || lostSession(error.cause) !== null;
  }
  return lostSession(error) !== null || (error instanceof Error && 'code' in error && ENDED.has(error.code));
}
