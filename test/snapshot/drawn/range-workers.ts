/** Workers of the ranges of a build, in this process, over the real queue of its database. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { expect } from 'vitest';
import { openBuildQueue } from '../../../src/ops/queue.ts';
import { openRangeQueue, type RangeQueue } from '../../../src/ops/range-queue.ts';
import { KeptSession } from '../../../src/run/builders/kept-session.ts';
import { queuedRanges } from '../../../src/run/builders/queued-range.ts';
import { runRange } from '../../../src/run/builders/run-range.ts';
import { shareRanges as offerRanges } from '../../../src/run/builders/shared-ranges.ts';
import type { ShareRanges } from '../../../src/snapshot/builder/shared-ranges.ts';
import { accountPrefix } from '../../../src/snapshot/format/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { work } from '../../ops/worker-harness.ts';
import { outcomeOf } from '../../support/waiting.ts';
import type { Asked, BuildHarness } from '../builder/real-build.ts';

interface WorkAsked {
  readonly store: Store;
  /** At most so many ranges, one after the other; all if omitted. */
  readonly ranges?: number;
  readonly lanes?: number;
  readonly connect?: () => Promise<Client>;
  /** True: the worker is killed before it settles any range. */
  readonly dies?: boolean;
}

interface StoredRange {
  readonly state: string;
  readonly retries: number;
}

/** What a test asks of the build beside that. */
type BuildAsked = Pick<Asked, 'checksBeside' | 'range_lanes' | 'signal'>;

/** The keys of an account in a store. */
export async function keysIn(store: Store): Promise<readonly string[]> {
  return await Array.fromAsync(store.list(accountPrefix(1n)));
}

export interface RangeWorkers extends AsyncDisposable {
  readonly queue: RangeQueue;
  /** Works until no range waits. */
  work(asked: WorkAsked): Promise<void>;
  /**
   * Builds into an empty store in two ranges of each table, while workers act. Nothing but the snapshot may be left, also of a
   * build that fails.
   */
  build(meanwhile: (store: Store) => Promise<void>, asked?: BuildAsked): Promise<Store>;
  /** What the queue holds. */
  jobs(): Promise<readonly StoredRange[]>;
  /** Lets the time pass until each heartbeat is overdue, and lets the supervisor look. */
  passHeartbeat(): Promise<void>;
}

function fail(error: Error): never {
  throw error;
}

export async function openRangeWorkers(harness: BuildHarness, group_rows: number): Promise<RangeWorkers> {
  const service = harness.database.pool('cf_service');
  const builds = await openBuildQueue({ service, supervise: false, onError: fail });
  const queue = await openRangeQueue({ service, supervise: false, onError: fail });
  const sharing =
    (meanwhile: () => Promise<void>): ShareRanges =>
    async (offer) => {
      const shared = await offerRanges(offer, queue, {
        // Only a range that a worker holds is waited for.
        sleep: (_, signal) => sleep(10, undefined, signal === undefined ? {} : { signal }),
      });
      await meanwhile().catch(async (error: unknown) => {
        await shared[Symbol.asyncDispose]();
        throw error;
      });
      return shared;
    };
  const jobs = async (): Promise<readonly StoredRange[]> => {
    const { rows } = await service.query<StoredRange>(
      `select state::text, retry_count as retries from ops.job where name = 'range' order by priority desc`,
    );
    return rows;
  };
  return {
    queue,
    async work({ store, ranges = Number.POSITIVE_INFINITY, lanes = 1, connect = harness.connect, dies }) {
      await using reader = new KeptSession(connect, async () => undefined);
      let taken = 0;
      const run = queuedRanges(async () => ({
        // As the process of builds does it.
        run: async ({ range, signal, onEvent }) => {
          if (range === undefined) throw new Error('a worker was given no range');
          await runRange(range, {
            settings: { dataDir: join(harness.root, 'worker') },
            sessions: { reader },
            openStore: async () => store,
            thread: harness.thread,
            group_rows,
            signal,
            tell: (message) => {
              if ('event' in message) onEvent(message.event);
            },
          });
        },
      }));
      await work({
        queue: builds,
        run: () => Promise.reject(new Error('no build was queued')),
        concurrency: lanes,
        ranges: {
          run,
          queue: {
            ...queue,
            take: async () => {
              if (taken >= ranges) return null;
              const range = await queue.take();
              if (range === null) return null;
              taken += 1;
              return range;
            },
            ...(dies === true ? { complete: async () => undefined } : {}),
          },
        },
      });
    },
    async build(meanwhile, asked = {}) {
      const store = await harness.emptyStore();
      const shareRanges = sharing(() => meanwhile(store));
      const tools = { group_rows, ranges: 2, range_lanes: 1, store, shareRanges, ...asked };
      const outcome = await outcomeOf(harness.build(tools));
      expect(await jobs()).toEqual([]);
      const keys = await keysIn(store);
      expect(keys.filter((key) => key.includes('/r/'))).toEqual([]);
      expect(await readdir(harness.spool)).toEqual([]);
      expect(await readdir(join(harness.root, 'worker', 'spool', '1')).catch(() => [])).toEqual([]);
      if (keys.length === 0) throw outcome;
      return store;
    },
    jobs,
    async passHeartbeat() {
      await service.query(
        `update ops.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 second' - interval '1 second'
         where state = 'active'`,
      );
      await service.query('update ops.queue set monitor_claim_on = null, monitor_on = null');
      await builds.supervise();
    },
    async [Symbol.asyncDispose]() {
      await queue.close();
      await builds.close();
    },
  };
}
