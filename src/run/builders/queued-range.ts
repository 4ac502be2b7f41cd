/** Runs a queued range in a child process. */
import { isCrossfootError } from '../../errors.ts';
import { failureOf } from '../../failure.ts';
import type { RangeOutcome, TakenRange } from '../../ops/range-queue.ts';
import type { Work } from '../../ops/worker.ts';
import type { ProcessesOfNow } from './current-processes.ts';

/** Returns the function that a worker calls for each range that it takes. */
export function queuedRanges(processes: ProcessesOfNow): Work<TakenRange>['run'] {
  return async ({ range }, signal) => {
    let stored: RangeOutcome | undefined;
    const builders = await processes();
    try {
      await builders.run({
        account_id: BigInt(range.account_id),
        night: null,
        // This worker logs why the range failed.
        attended: true,
        requested_at: null,
        range,
        signal,
        onEvent: (event) => {
          if (event.kind !== 'part.stored') return;
          const { size_bytes, sha256 } = event;
          stored = { outcome: 'stored', size_bytes, sha256 };
        },
      });
    } catch (error) {
      // The moment has ended, or this worker reaches another server: a retry would end the same way.
      if (isCrossfootError(error, 'moment_unseen'))
        return { outcome: 'refused', failure: failureOf(error) } satisfies RangeOutcome;
      throw error;
    }
    if (stored === undefined) throw new Error('a range ended without its part');
    return stored;
  };
}
