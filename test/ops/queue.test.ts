/** The queue on a real PostgreSQL, as the role that may not create anything. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBuildQueue, type TakenBuild } from '../../src/ops/queue.ts';
import { NIGHT, type TestQueue, openTestQueue } from './queue-harness.ts';

const REFUSED = { code: 'audit_refused', message: 'One cent is missing.', hint: null };

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

/** Takes a build that must be there. */
async function take(): Promise<TakenBuild> {
  const build = await test.queue.take();
  if (build === null) throw new Error('nothing is due');
  return build;
}

describe('a night', () => {
  it('that twenty processes queue at once is queued once for each account (F-36)', async () => {
    const queues = await Promise.all(Array.from({ length: 20 }, () => test.reopen()));
    const request = { night: NIGHT, accounts: [1n, 2n, 3n], jitter_ms: 0, now_ms: NIGHT.due_ms };
    const queued = await Promise.all(queues.map((queue) => queue.enqueueNight(request)));
    // Each account was new to exactly one of them.
    expect(queued.flat()).toHaveLength(3);
    expect(new Set(queued.flat())).toEqual(new Set([1n, 2n, 3n]));
    const jobs = await test.jobs();
    expect(jobs.map(({ account, night, state }) => [account, night, state])).toEqual(
      [1, 2, 3].map((account) => [account, '2026-07-15', 'created']),
    );
  });

  it('that was built, or given up on, is not queued again; the next one is', async () => {
    await test.enqueue([1n]);
    await test.queue.complete(await take(), { outcome: 'published' });
    await test.service.query(`update ops.job set retry_limit = 0`);
    await test.enqueue([2n]);
    await test.service.query(`update ops.job set retry_limit = 0 where state = 'created'`);
    await test.queue.fail(await take(), REFUSED);
    expect(await test.enqueue([1n, 2n])).toEqual([]);
    expect(await test.enqueue([1n, 2n], { ...NIGHT, day: '2026-07-16' })).toEqual([1n, 2n]);
  });

  it('begins for each account within the jitter, and at once when it was missed', async () => {
    const now_ms = Date.now();
    const accounts = Array.from({ length: 50 }, (_, n) => BigInt(n + 1));
    const night = { day: '2026-07-15', due_ms: now_ms + 3_600_000 };
    await test.queue.enqueueNight({ night, accounts, jitter_ms: 300_000, now_ms });
    expect(await test.queue.take()).toBeNull();
    const { rows } = await test.service.query<{ after_ms: string }>(
      `select extract(epoch from start_after) * 1000 - $1 as after_ms from ops.job`,
      [night.due_ms],
    );
    const delays = rows.map(({ after_ms }) => Number(after_ms));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(300_000);
    expect(new Set(delays).size).toBeGreaterThan(40);

    const missed = { day: '2026-07-14', due_ms: now_ms - 3_600_000 };
    await test.queue.enqueueNight({ night: missed, accounts: [1n], jitter_ms: 300_000, now_ms });
    expect(await take()).toMatchObject({
      account_id: 1n,
      night: '2026-07-14',
      requested_at: expect.any(BigInt),
    });
  });

  it('of more accounts than one statement inserts is queued for all of them', async () => {
    const accounts = Array.from({ length: 2_001 }, (_, n) => BigInt(n + 1));
    expect(await test.enqueue(accounts)).toEqual(accounts);
    expect(await test.enqueue(accounts)).toEqual([]);
  });
});

describe('a build that failed', () => {
  it('waits longer each time, five times over, and then lies in the dead letters with its error', async () => {
    await test.enqueue([1n]);
    const waits: number[] = [];
    for (let tries = 0; tries <= 5; tries += 1) {
      const build = await take();
      expect(build.retryCount).toBe(tries);
      await test.queue.fail(build, REFUSED);
      expect(await test.queue.take()).toBeNull();
      const { rows } = await test.service.query<{ wait: string }>(
        `select extract(epoch from start_after - now()) as wait from ops.job where state = 'retry'`,
      );
      if (rows[0] !== undefined) waits.push(Number(rows[0].wait));
      await test.passBackoff();
    }
    // 30 s doubled each time, of which the upper half is drawn: 15·2ⁿ⁺¹ to 30·2ⁿ⁺¹ for the try after the nth.
    expect(waits).toHaveLength(5);
    waits.forEach((wait, n) => {
      expect(wait).toBeGreaterThan(15 * 2 ** (n + 1) - 5);
      expect(wait).toBeLessThanOrEqual(Math.min(30 * 2 ** (n + 1), 900));
    });
    expect(await test.jobs()).toEqual([
      { queue: 'build', account: 1, night: '2026-07-15', state: 'failed', tries: 5, output: REFUSED },
      { queue: 'build-dead', account: 1, night: '2026-07-15', state: 'created', tries: 0, output: REFUSED },
    ]);
  });

  it('keeps no other from its turn (F-9)', async () => {
    await test.enqueue([1n, 2n, 3n]);
    const built: bigint[] = [];
    for (let build = await test.queue.take(); build !== null; build = await test.queue.take()) {
      if (build.account_id === 1n) await test.queue.fail(build, REFUSED);
      else await test.queue.complete(build, { outcome: 'published' });
      built.push(build.account_id);
    }
    // Those of one night were queued at one moment: none of them is before another.
    expect(new Set(built)).toEqual(new Set([1n, 2n, 3n]));
    expect(await test.queue.holdsPending()).toBe(true);
  });
});

describe('a rebuild', () => {
  it('runs before every night, and belongs to no night', async () => {
    await test.enqueue([1n, 2n]);
    expect(await test.queue.enqueueRebuild([3n, 2n])).toEqual([]);
    const order: [bigint, string | null][] = [];
    for (let build = await test.queue.take(); build !== null; build = await test.queue.take()) {
      order.push([build.account_id, build.night]);
    }
    expect(order.map(([, night]) => night)).toEqual([null, null, '2026-07-15', '2026-07-15']);
    const accountsOf = (builds: typeof order) => new Set(builds.map(([account]) => account));
    expect(accountsOf(order.slice(0, 2))).toEqual(new Set([2n, 3n]));
    expect(accountsOf(order.slice(2))).toEqual(new Set([1n, 2n]));
  });

  it('can be requested again while it waits or once it is done, but not while it runs', async () => {
    await test.queue.enqueueRebuild([1n]);
    await test.queue.fail(await take(), REFUSED);
    // It would wait half a minute; asked for again, it is due now and as if new.
    await test.queue.enqueueRebuild([1n]);
    const build = await take();
    expect(build.retryCount).toBe(0);
    expect(await test.queue.enqueueRebuild([1n, 2n])).toEqual([1n]);
    await test.queue.complete(build, { outcome: 'published' });
    expect(await test.queue.enqueueRebuild([1n])).toEqual([]);
    expect((await test.jobs()).map(({ account, state }) => [account, state])).toEqual([
      [1, 'created'],
      [2, 'created'],
    ]);
  });
});

describe('a build whose worker is gone (F-37)', () => {
  it('is given to another after its heartbeat, and cannot be settled by the first any more', async () => {
    await test.enqueue([1n]);
    const first = await take();
    expect(await test.queue.beat(first)).toBe(true);
    await test.passHeartbeat();
    await test.passBackoff();
    const second = await take();
    expect(second).toEqual({ ...first, retryCount: 1 });
    expect(await test.queue.beat(first)).toBe(false);
    await test.queue.complete(first, { outcome: 'published' });
    await test.queue.giveBack(first);
    expect(await test.queue.beat(second)).toBe(true);
  });

  it('is tried again for each worker that is lost, and then still five times over for its own faults', async () => {
    await test.enqueue([1n]);
    for (let lost = 0; lost < 7; lost += 1) {
      await take();
      await test.passHeartbeat();
      await test.passBackoff();
    }
    for (let failed = 0; failed <= 5; failed += 1) {
      await test.queue.fail(await take(), REFUSED);
      await test.passBackoff();
    }
    expect(await test.queue.take()).toBeNull();
    // Seven were lost and five tried again: the twelfth try after the first was the last.
    expect((await test.jobs())[0]).toMatchObject({ state: 'failed', tries: 12, output: REFUSED });
  });

  it('ends among the dead letters when it takes every worker along', async () => {
    await test.enqueue([1n]);
    let taken = 0;
    while ((await test.queue.take()) !== null) {
      taken += 1;
      await test.passHeartbeat();
      await test.passBackoff();
    }
    expect(taken).toBe(21);
    expect(await test.jobs()).toContainEqual(expect.objectContaining({ queue: 'build-dead', account: 1 }));
  });

  it('that was stopped is taken by another worker at once, and the attempt does not count', async () => {
    await test.enqueue([1n]);
    await test.queue.fail(await take(), REFUSED);
    await test.passBackoff();
    const second = await take();
    await test.queue.giveBack(second);
    expect(await test.queue.take()).toEqual(second);
    await test.queue.giveBackAll();
    expect(await test.queue.take()).toEqual(second);
  });
});

describe('a build that is settled', () => {
  it('cannot be given back', async () => {
    await test.enqueue([1n]);
    const build = await take();
    await test.queue.complete(build, { outcome: 'published' });
    await test.queue.giveBack(build);
    await test.queue.giveBackAll();
    expect(await test.queue.take()).toBeNull();
    expect(await test.jobs()).toMatchObject([{ account: 1, state: 'completed' }]);
  });
});

describe('the queue', () => {
  it('of an older program gets the rules of the program that opens it', async () => {
    await test.service.query(
      'update ops.queue set retry_limit = 1, deletion_seconds = 60, retention_seconds = 60',
    );
    await test.reopen();
    const { rows } = await test.service.query(
      'select name, retry_limit, deletion_seconds / 86400 as days, retention_seconds / 86400 as waits from ops.queue order by name',
    );
    expect(rows).toMatchObject([
      { name: 'build', retry_limit: 5, days: 30, waits: 14 },
      { name: 'build-dead', waits: 60 },
    ]);
  });

  it('lets a build run for 4 hours, keeps a done build for 30 days and a dead letter for 60', async () => {
    await test.enqueue([1n]);
    await test.service.query('update ops.job set retry_limit = 0');
    await test.queue.fail(await take(), REFUSED);
    const { rows } = await test.service.query(
      `select name, expire_seconds, heartbeat_seconds, deletion_seconds,
         extract(epoch from keep_until - start_after)::int / 86400 as waits_days from ops.job order by name`,
    );
    expect(rows).toMatchObject([
      {
        name: 'build',
        expire_seconds: 14_400,
        heartbeat_seconds: 30,
        deletion_seconds: 2_592_000,
        waits_days: 14,
      },
      { name: 'build-dead', waits_days: 60 },
    ]);
  });

  it('reports pending builds while one waits or is held, and none once all are settled', async () => {
    expect(await test.queue.holdsPending()).toBe(false);
    await test.enqueue([1n, 2n]);
    expect(await test.queue.holdsPending()).toBe(true);
    const [first, second] = [await take(), await take()];
    // Neither waits now, and both are held.
    expect(await test.queue.holdsPending()).toBe(true);
    await test.queue.complete(first, { outcome: 'published' });
    expect(await test.queue.holdsPending()).toBe(true);
    await test.service.query('update ops.job set retry_limit = 0');
    await test.queue.fail(second, REFUSED);
    // A dead letter is no build.
    expect(await test.queue.holdsPending()).toBe(false);
  });

  it('grants the try for a lost worker before it hands out the build', async () => {
    const steps: string[] = [];
    const service = {
      query: async (text: string, values?: unknown[]) => {
        const grants = text.includes('set "retry_limit" = "retry_limit" +');
        // A slow answer: a caller that does not wait for it is ahead.
        if (grants) await test.service.query('select 1');
        const result = await test.service.query(text, values);
        if (grants) steps.push('granted');
        return result;
      },
    } as unknown as TestQueue['service']; // the one method that a queue calls
    const queue = await openBuildQueue({ service, supervise: false, onError: () => undefined });
    await test.enqueue([1n]);
    await take();
    await test.passHeartbeat();
    await test.passBackoff();
    expect(await queue.take()).toMatchObject({ account_id: 1n, retryCount: 1 });
    steps.push('taken');
    expect(steps).toEqual(['granted', 'taken']);
    await queue.close();
  });
});
