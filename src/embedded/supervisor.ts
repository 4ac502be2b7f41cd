/** Keeps the embedded PostgreSQL running: if it ends by itself, it is started again on the same port. */
import { CrossfootError } from '../errors.ts';
import type { EmbeddedPostgres } from './embedded.ts';

/** The first wait, doubled before each further start up to the maximum: ten starts in a row wait two and a half minutes. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
const MAX_STARTS = 10;
/** A server that ran this long was started successfully: the number of starts is reset. */
const STEADY_MS = 60_000;

export interface SupervisorTools {
  /** Rejects at once when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** Called when the server ended by itself, and when it was started again. */
  readonly onEvent: (event: 'database.ended' | 'database.restarted') => void;
}

export interface Supervised {
  /** How often the server has ended by itself. */
  readonly ends: () => number;
  /** Rejects once the supervisor gives up; otherwise it never settles. */
  readonly lost: Promise<never>;
  /** Ends the supervision and the server. */
  stop(): Promise<void>;
}

/**
 * Starts the server again whenever it ends before `stop`, with growing waits. It gives up after ten starts in a row. While
 * the disk is full, it waits without limit.
 */
export function superviseEmbedded(
  server: Pick<EmbeddedPostgres, 'ended' | 'isDiskFull' | 'restart' | 'stop'>,
  { sleep, clock, onEvent }: SupervisorTools,
): Supervised {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined); // a short command does not listen
  let starts = 0;
  let ends = 0;

  async function isLost(): Promise<boolean> {
    return starts >= MAX_STARTS && !(await server.isDiskFull());
  }

  async function startAgain(): Promise<void> {
    for (;;) {
      await sleep(Math.min(FIRST_WAIT_MS * 2 ** starts, MAX_WAIT_MS), signal);
      starts += 1;
      try {
        await server.restart(signal);
        return;
      } catch (cause) {
        if (signal.aborted) throw cause;
        if (await isLost()) throw givenUp(cause);
      }
    }
  }

  async function watch(): Promise<void> {
    for (;;) {
      const from = clock();
      await server.ended();
      if (signal.aborted) return;
      ends += 1;
      onEvent('database.ended');
      if (clock() - from >= STEADY_MS) starts = 0;
      if (await isLost()) throw givenUp(undefined);
      await startAgain();
      onEvent('database.restarted');
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) lost.reject(error);
  });
  return {
    ends: () => ends,
    lost: lost.promise,
    async stop() {
      stopping.abort();
      const stopped = server.stop();
      await watching;
      await stopped;
      // A start that was running at the stop may have succeeded.
      await server.stop();
    },
  };
}

function givenUp(cause: unknown): CrossfootError {
  const why = cause instanceof Error ? ` The last start: ${cause.message}` : '';
  return new CrossfootError(
    'embedded_failed',
    `The embedded PostgreSQL ended, and ${MAX_STARTS} starts in a row failed.${why}`,
    {
      hint: 'Read server.log below DATA_DIR/postgres and check that the disk is not full. If it is, stop the program and run npx --no crossfoot prune. Then start again.',
      cause,
    },
  );
}
