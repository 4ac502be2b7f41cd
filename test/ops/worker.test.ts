/** The worker over the real queue, with builds that are told what to do. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import type { TakenBuild } from '../../src/ops/queue.ts';
import type { WorkOptions } from '../../src/ops/worker.ts';
import { type TestQueue, openTestQueue } from './queue-harness.ts';
import { type Work, work as workWith } from './worker-harness.ts';

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

/** Works the queue of the test until nothing is due, unless it is told otherwise. */
const work = (options: Omit<Work, 'queue'> & Partial<Work>): Promise<void> =>
  workWith({ queue: test.queue, ...options });

const statesOf = async (): Promise<readonly unknown[]> =>
  (await test.jobs()).filter(({ queue }) => queue === 'build').map(({ account, state }) => [account, state]);

/** A build that ends when it is told to stop. */
const untilStopped = async (_: TakenBuild, signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('stopped');
};

describe('a worker', () => {
  it('builds what is due and stores the outcome', async () => {
    await test.enqueue([1n, 2n]);
    await work({ run: async ({ account_id }) => ({ outcome: 'published', seq: Number(account_id) }) });
    expect((await test.jobs()).map(({ account, state, output }) => [account, state, output])).toEqual([
      [1, 'completed', { outcome: 'published', seq: 1 }],
      [2, 'completed', { outcome: 'published', seq: 2 }],
    ]);
  });

  it('runs as many builds at the same time as configured, and no more', async () => {
    await test.enqueue([1n, 2n, 3n, 4n, 5n]);
    let running = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    await work({
      concurrency: 2,
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 2) both.resolve();
        await both.promise;
        running -= 1;
        return { outcome: 'published' };
      },
    });
    expect(most).toBe(2);
    expect(await statesOf()).toEqual([1, 2, 3, 4, 5].map((account) => [account, 'completed']));
  });

  it('lets no poisoned account delay the others, and lays it among the dead letters with its error', async () => {
    await test.enqueue([1n, 2n, 3n]);
    const tries: bigint[] = [];
    const run: WorkOptions['run'] = async ({ account_id }) => {
      tries.push(account_id);
      if (account_id === 1n) throw new CrossfootError('audit_refused', 'One cent is missing.');
      return { outcome: 'published' };
    };
    await work({ run });
    // They were queued at one moment: none of them is before another.
    expect(new Set(tries)).toEqual(new Set([1n, 2n, 3n]));
    expect(await statesOf()).toEqual([
      [1, 'retry'],
      [2, 'completed'],
      [3, 'completed'],
    ]);
    for (let retry = 1; retry <= 5; retry += 1) {
      await test.passBackoff();
      await work({ run });
    }
    expect(tries.slice(3)).toEqual([1n, 1n, 1n, 1n, 1n]);
    expect((await test.jobs()).filter(({ account }) => account === 1)).toEqual([
      expect.objectContaining({ queue: 'build', state: 'failed', tries: 5 }),
      expect.objectContaining({
        queue: 'build-dead',
        output: { code: 'audit_refused', message: 'One cent is missing.', hint: null, data: {} },
      }),
    ]);
  });

  it('keeps the words of a library to itself', async () => {
    await test.enqueue([1n]);
    await work({ run: () => Promise.reject(new TypeError('the row of Ada Lovelace')) });
    const [job] = await test.jobs();
    expect(job?.output).toMatchObject({ code: 'unforeseen', message: expect.stringContaining('TypeError') });
    expect(JSON.stringify(job)).not.toContain('Ada');
  });

  it('releases its builds when it is stopped, and takes no more', async () => {
    await test.enqueue([1n, 2n]);
    const stop = new AbortController();
    const taken: bigint[] = [];
    await work({
      signal: stop.signal,
      run: (build, signal) => {
        taken.push(build.account_id);
        stop.abort();
        return untilStopped(build, signal);
      },
    });
    expect(taken).toHaveLength(1);
    expect(await test.jobs()).toMatchObject([
      { account: 1, state: 'created', tries: 0 },
      { account: 2, state: 'created', tries: 0 },
    ]);
  });

  it('ends a build that belongs to another by now, and does not settle it', async () => {
    await test.enqueue([1n]);
    let second: TakenBuild | null = null;
    const settled: string[] = [];
    const told: boolean[] = [];
    const lost = new AbortController();
    await work({
      queue: {
        ...test.queue,
        beat: async (build) => {
          const own = await test.queue.beat(build);
          // By then a worker that heeds the answer has told its build; any other worker would build for ever.
          if (!own) setImmediate(() => lost.abort());
          return own;
        },
        complete: async () => void settled.push('completed'),
        fail: async () => void settled.push('failed'),
        giveBack: async () => void settled.push('given back'),
      },
      // Its heart is late: by the time it beats, the supervisor has passed the build on.
      sleep: async (milliseconds, signal) => {
        if (signal.aborted || second !== null) return sleep(milliseconds, undefined, { signal });
        await test.passHeartbeat();
        await test.passBackoff();
        second = await test.queue.take();
      },
      run: async (build, signal) => {
        signal.addEventListener('abort', () => void told.push(!lost.signal.aborted));
        return await untilStopped(build, AbortSignal.any([signal, lost.signal]));
      },
    });
    expect(told).toEqual([true]);
    expect(second).toMatchObject({ account_id: 1n, retryCount: 1 });
    expect([settled, await statesOf()]).toEqual([[], [[1, 'active']]]);
  });

  it('goes on when the database was away (F-6)', async () => {
    await test.enqueue([1n]);
    let away = true;
    await work({
      queue: {
        ...test.queue,
        take: async () => {
          if (!away) return test.queue.take();
          away = false;
          throw new Error('terminating connection');
        },
      },
      sleep: async () => undefined,
      run: async () => ({ outcome: 'published' }),
    });
    expect(await statesOf()).toEqual([[1, 'completed']]);
  });
});

describe('a worker that is killed with kill -9 (F-37)', () => {
  it('leaves its build to another, after its heartbeat and not before', async () => {
    await test.enqueue([1n]);
    const holder = fork(fileURLToPath(new URL('holding-worker.ts', import.meta.url)), [
      test.database.url('cf_service'),
    ]);
    const ended = once(holder, 'exit');
    expect((await once(holder, 'message'))[0]).toBe('1');
    holder.kill('SIGKILL');
    await ended;
    await test.service.query('update ops.queue set monitor_claim_on = null, monitor_on = null');
    await test.queue.supervise();
    expect(await test.queue.take()).toBeNull();
    await test.passHeartbeat();
    await test.passBackoff();
    expect(await test.queue.take()).toMatchObject({ account_id: 1n, retryCount: 1 });
  });
});
