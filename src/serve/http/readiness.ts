/** Whether this process can do its work: each part is asked at most once in a while, whoever asks how often. */
import { Cache } from '../../cache.ts';
import { errorFields, type Logger } from '../../log.ts';

/** Short enough for a load balancer to notice, long enough that asking costs nothing. */
const KEPT_MS = 2_000;
/** What answers later than this is not there for a request either. */
const PATIENCE_MS = 2_000;

/** A part by its name, as a client is told it, and how to find out whether it answers. */
export type Parts = Readonly<Record<string, () => Promise<unknown>>>;

interface ReadinessTools {
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** Ends after so many milliseconds; fails at once when called off. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/** The names of the parts that do not answer; none when the process is ready. */
export type Readiness = () => Promise<readonly string[]>;

/** Asks all parts at the same time, and gives the last answer while it is fresh or still being found out. */
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
