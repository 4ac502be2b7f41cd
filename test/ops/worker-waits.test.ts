/** What a worker does between builds and beside them: it waits, its heart beats, and it says so in its log. */
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CrossfootError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import type { TakenBuild } from '../../src/ops/queue.ts';
import type { WorkOptions } from '../../src/ops/worker.ts';
import { NIGHT, type TestQueue, openTestQueue } from './queue-harness.ts';
import { work } from './worker-harness.ts';

const SOON = { timeout: 20_000 };

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

const published = async (): Promise<{ outcome: string }> => ({ outcome: 'published' });

/** Waits that end when the test says so; `waits` has the milliseconds of each. */
function heldSleep() {
  const waits: number[] = [];
  let tick = Promise.withResolvers<void>();
  const sleep: WorkOptions['sleep'] = async (milliseconds, signal) => {
    waits.push(milliseconds);
    signal.addEventListener('abort', () => tick.resolve());
    if (!signal.aborted) await tick.promise;
    tick = Promise.withResolvers();
  };
  return { waits, sleep, end: () => tick.resolve() };
}

describe('the heart of a worker', () => {
  it('beats every ten seconds, also after a beat that the database did not hear, and the build goes on', async () => {
    await test.enqueue([1n]);
    const { waits, sleep, end } = heldSleep();
    let beats = 0;
    let ended = false;
    const built = Promise.withResolvers<void>();
    const working = work({
      queue: {
        ...test.queue,
        beat: async (build) => {
          beats += 1;
          if (beats === 1) throw new Error('terminating connection');
          return await test.queue.beat(build);
        },
      },
      sleep,
      run: async (_, signal) => {
        signal.addEventListener('abort', () => (ended = true));
        await built.promise;
        return { outcome: 'published' };
      },
    });
    for (const beat of [1, 2, 3]) {
      await expect.poll(() => waits.length, SOON).toBe(beat);
      end();
    }
    await expect.poll(() => beats, SOON).toBe(3);
    built.resolve();
    await working;
    expect([ended, new Set(waits)]).toEqual([false, new Set([10_000])]);
    expect(await test.jobs()).toMatchObject([{ account: 1, state: 'completed' }]);
  });
});

describe('a worker without a build', () => {
  it('looks again every second, until it is ended', async () => {
    const waits: number[] = [];
    let looks = 0;
    await work({
      queue: test.queue,
      sleep: async (milliseconds) => {
        waits.push(milliseconds);
        await setImmediate();
      },
      onIdle: async () => {
        looks += 1;
        if (looks === 2) await test.enqueue([1n]);
        return looks === 3;
      },
      run: published,
    });
    expect(waits.filter((milliseconds) => milliseconds === 1_000)).toHaveLength(2);
    expect(await test.jobs()).toMatchObject([{ account: 1, state: 'completed' }]);
  });

  it('resolves when it is stopped while it waits', async () => {
    const stop = new AbortController();
    const waiting = Promise.withResolvers<void>();
    const working = work({
      queue: test.queue,
      signal: stop.signal,
      onIdle: () => {
        waiting.resolve();
        return false;
      },
      run: published,
    });
    await waiting.promise;
    stop.abort();
    await expect(working).resolves.toBeUndefined();
  });
});

/** Works and gives the lines about builds, without their times. */
async function logOf(options: Partial<WorkOptions> & Pick<WorkOptions, 'run'>): Promise<readonly unknown[]> {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  await work({ queue: test.queue, logger, ...options });
  return lines.map((line) => {
    const { time: _time, ...said } = JSON.parse(line) as Record<string, unknown>;
    return said;
  });
}

const of = (attempt: number) => ({ account: '1', attempt, night: NIGHT.day });

describe('the log of a worker', () => {
  it('names account, attempt and night of each step; the queue keeps code, words, hint and facts of a failure', async () => {
    await test.enqueue([1n]);
    const error = new CrossfootError('ledger_locked', 'The ledger is locked.', {
      hint: 'Wait for the load.',
      data: {
        table: 'costs',
        account: 1n,
        cents_off: 100,
        refused: ['42-check-amounts'],
        cause: new Error('x'),
      },
    });
    const failed = await logOf({ run: () => Promise.reject(error) });
    expect(failed).toEqual([
      { level: 'info', event: 'job.taken', ...of(1) },
      expect.objectContaining({ level: 'error', event: 'job.failed', code: 'ledger_locked', ...of(1) }),
    ]);
    expect(await test.jobs()).toMatchObject([{ state: 'retry' }]);
    expect((await test.jobs())[0]?.output).toEqual({
      code: 'ledger_locked',
      message: 'The ledger is locked.',
      hint: 'Wait for the load.',
      data: { table: 'costs', account: '1', cents_off: 100, refused: ['42-check-amounts'] },
    });
    await test.passBackoff();
    expect(await logOf({ run: published })).toEqual([
      { level: 'info', event: 'job.taken', ...of(2) },
      { level: 'info', event: 'job.completed', step: 'published', ...of(2) },
    ]);
  });

  it('names no night of a rebuild, and says that a build was given back', async () => {
    await test.queue.enqueueRebuild([1n]);
    const stop = new AbortController();
    const said = await logOf({
      signal: stop.signal,
      run: async () => {
        stop.abort();
        throw new Error('stopped');
      },
    });
    expect(said).toEqual([
      { level: 'info', event: 'job.taken', account: '1', attempt: 1 },
      { level: 'info', event: 'job.returned', account: '1', attempt: 1 },
    ]);
  });

  it('says that a build was lost to another worker, and not that it failed', async () => {
    await test.enqueue([1n]);
    const said = await logOf({
      queue: { ...test.queue, beat: async () => false },
      sleep: (_, signal) => setImmediate(undefined, { signal }),
      run: async (_: TakenBuild, signal) => {
        if (!signal.aborted) await once(signal, 'abort');
        throw new Error('ended');
      },
    });
    expect(said).toEqual([
      { level: 'info', event: 'job.taken', ...of(1) },
      { level: 'warn', event: 'job.lost', ...of(1) },
    ]);
  });
});
