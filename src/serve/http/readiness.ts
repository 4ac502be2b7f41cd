/** Whether this process can work: each dependency is probed at most once every two seconds, however often it is asked. */
import { Cache } from '../../cache.ts';
import { errorFields, type Logger } from '../../log.ts';

/** How long a result is cached: short enough for a load balancer, long enough that frequent probes cost nothing. */
const KEPT_MS = 2_000;
/** The timeout of a probe: a dependency that answers later would fail a request too. */
const PATIENCE_MS = 2_000;

/** Dependencies by the name that clients see, each with its probe. */
export type Parts = Readonly<Record<string, () => Promise<unknown>>>;

interface ReadinessTools {
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Resolves after `ms` milliseconds; rejects at once when aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/** The names of the dependencies that do not answer; empty when the process is ready. */
export type Readiness = () => Promise<readonly string[]>;

/** Probes all dependencies at the same time; returns the cached or pending result while there is one. */
export function watchReadiness(parts: Parts, { clock, pause, logger }: ReadinessTools): Readiness {
  const cache = new Cache<'parts', readonly string[]>({ max_entries: 1, max_age: KEPT_MS, clock });

  async function missing([name, ask]: readonly [string, () => Promise<unknown>]): Promise<readonly string[]> {
    const answered = new AbortController();
    try {
      const late = pause(PATIENCE_MS, answered.signal).then(() => {
        throw new Error('no answer in time');
      });
      await Promise.race([ask(), late]);
      return [];
    } catch (error) {
      logger.warn('part.missed', { step: name, ...errorFields(error) });
      return [name];
    } finally {
      answered.abort();
    }
  }

  return () => cache.get('parts', async () => (await Promise.all(Object.entries(parts).map(missing))).flat());
}
