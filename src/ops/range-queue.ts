/**
 * The queue of ranges: parts of a long table that any worker may write for the build that offers them. A job names the moment
 * of the build and the keys of the range; a worker reads with a login of its own.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { errorOf, type Failure } from '../failure.ts';
import { type Attempt, type JobQueue, openJobQueue, type QueueOptions } from './job-queue.ts';
import { RANGE_QUEUE, RANGE_RULES } from './queue-rules.ts';
import { holdsRanges, removeRanges, takeFreeRange } from './queue-statements.ts';

const number = z.string().regex(/^\d{1,19}$/);

const queuedRange = z.strictObject({
  account_id: number,
  /** The nonce of the build. */
  build: z.string().regex(/^[0-9a-f]{32}$/),
  /** The moment of the build, in microseconds since 1970. */
  generated_at: number,
  pg_snapshot: z.string(),
  exported_snapshot: z.string(),
  table: z.string(),
  /** The ranges of a table are numbered from 1. */
  number: z.int().min(1),
  /** The key of its first row. */
  from: z.array(z.string()),
  /** The key of the first row after it; null for the last range. */
  to: z.array(z.string()).nullable(),
  rows: z.int(),
});

/** A range as JSON holds it. */
export type QueuedRange = Readonly<z.infer<typeof queuedRange>>;

/** A range held by a worker. */
export interface TakenRange extends Attempt {
  readonly range: QueuedRange;
}

const takenRange = z
  .object({ id: z.string(), retryCount: z.int(), data: queuedRange })
  .transform(({ data: range, ...attempt }): TakenRange => ({ ...attempt, range }));

const failure: z.ZodType<Failure> = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  data: z.record(z.string(), z.unknown()).optional(),
});

const outcome = z.union([
  z.object({ outcome: z.literal('stored'), size_bytes: z.int(), sha256: z.string() }),
  z.object({ outcome: z.literal('refused'), failure }),
]);

/** How a worker completes a range: with the digest of the stored part, or with the reason why no worker can read the range. */
export type RangeOutcome = Readonly<z.infer<typeof outcome>>;

/** A range that returns to its build. `stored` is the part of a worker; null: no worker has begun the range. */
export interface ReturnedRange {
  readonly range: QueuedRange;
  readonly stored: { readonly size_bytes: number; readonly sha256: string } | null;
}

export interface RangeQueue extends Pick<
  JobQueue<TakenRange>,
  'beat' | 'close' | 'complete' | 'fail' | 'giveBack' | 'take'
> {
  /** Queues the ranges of a build. */
  offer(ranges: readonly QueuedRange[]): Promise<void>;
  /**
   * Takes a range of the build back from the queue: a stored range, or a range without a worker. `held`: workers hold all that
   * are left. Null: none is left. Throws the failure of a range without a further retry.
   */
  takeBack(build: string): Promise<ReturnedRange | 'held' | null>;
  /** Removes what is left of the ranges of a build. */
  withdraw(build: string): Promise<void>;
}

/** Opens the queue and updates its rules. */
export async function openRangeQueue({ service, supervise, onError }: QueueOptions): Promise<RangeQueue> {
  const queue = await openJobQueue({
    service,
    supervise,
    onError,
    name: RANGE_QUEUE,
    rules: new Map([[RANGE_QUEUE, RANGE_RULES]]),
    job: takenRange,
    malformed: { code: 'job_malformed', message: 'A queued range has another form.', hint: null },
  });
  return {
    ...queue,
    offer: async (ranges) => {
      // In their order: a table is joined as soon as all its ranges are there.
      await queue.insert(
        ranges.map((range, index) => ({ data: range, singletonKey: range.build, priority: -index })),
      );
    },
    takeBack: (build) => takeBack(service, build),
    withdraw: (build) => removeRanges(service, build),
  };
}

async function takeBack(service: Pool, build: string): Promise<ReturnedRange | 'held' | null> {
  const free = await takeFreeRange(service, build);
  if (free === null) return (await holdsRanges(service, build)) ? 'held' : null;
  const range = queuedRange.parse(free.data);
  if (free.state === 'failed') throw failureOf(range, free.output);
  if (free.state !== 'completed') return { range, stored: null };
  const ended = outcome.parse(free.output);
  if (ended.outcome === 'refused') throw errorOf(ended.failure);
  const { size_bytes, sha256 } = ended;
  return { range, stored: { size_bytes, sha256 } };
}

/** The error of a range without a further retry. */
function failureOf({ table, number: which }: QueuedRange, output: unknown): CrossfootError {
  const read = failure.safeParse(output);
  if (read.success) return errorOf(read.data);
  return new CrossfootError('build_died', `${table}: each worker that took range ${which} died.`, {
    hint: 'Read the logs of the workers. SIGKILL or SIGABRT usually means out of memory.',
    data: { table },
  });
}
