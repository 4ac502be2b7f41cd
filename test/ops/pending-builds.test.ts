/** The builds that wait or run, from a real queue. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readPendingBuilds } from '../../src/ops/pending-builds.ts';
import { instantOf } from '../support/instant-of.ts';
import { NIGHT, openTestQueue, type TestQueue } from './queue-harness.ts';

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
beforeEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

const ACCOUNTS = [1n, 2n, 3n, 4n, 5n];
const AT = instantOf('2026-07-15T02:31:00.000000Z');
const REFUSAL = { code: 'audit_refused', message: 'One cent.', hint: null };

async function pending(): Promise<unknown> {
  await test.service.query(
    `update ops.job set start_after = '2026-07-15T02:31Z', started_on = case when started_on is not null then '2026-07-15T02:31Z'::timestamptz end`,
  );
  return [...(await readPendingBuilds(test.service, ACCOUNTS)).values()];
}

it('waiting and running builds and retries have the number of their attempt', async () => {
  await test.enqueue([1n, 2n, 3n, 4n]);
  for (let taken = 0; taken < 3; taken += 1) {
    const build = await test.queue.take();
    if (build?.account_id === 2n) await test.queue.fail(build, REFUSAL);
    if (build?.account_id === 3n) await test.queue.complete(build, { outcome: 'published' });
  }
  const of = { at: AT, max_tries: 6, untaken: false };
  expect(await pending()).toEqual([
    { ...of, account_id: 1n, state: 'building', tries: 1 },
    // The first attempt failed.
    { ...of, account_id: 2n, state: 'retry', tries: 2 },
    { ...of, account_id: 4n, state: 'queued', tries: 1 },
  ]);
  await test.passBackoff();
  const taken = [await test.queue.take(), await test.queue.take()].map((build) => build?.account_id);
  expect(new Set(taken)).toEqual(new Set([2n, 4n]));
  expect(await pending()).toContainEqual({ ...of, account_id: 2n, state: 'building', tries: 2 });
});

it('no worker takes a build that is due for five minutes, unless a worker shows a sign of life', async () => {
  const untaken = async (): Promise<unknown> =>
    [...(await readPendingBuilds(test.service, ACCOUNTS)).values()].map((each) => [
      each.account_id,
      each.untaken,
    ]);
  await test.enqueue([1n, 2n, 3n]);
  const due = async (minutes: number): Promise<unknown> =>
    await test.service.query(`update ops.job set start_after = now() - ${minutes} * interval '1 minute'`);
  await due(4);
  expect(await untaken()).toEqual([1n, 2n, 3n].map((account) => [account, false]));
  await due(6);
  expect(await untaken()).toEqual([1n, 2n, 3n].map((account) => [account, true]));
  // A worker builds one account for an hour: the others wait for it.
  const build = await test.queue.take();
  if (build === null) throw new Error('the queued build was not taken');
  const age = async (minutes: number): Promise<unknown> =>
    await test.service.query(
      `update ops.job set started_on = now() - interval '1 hour', heartbeat_on = now() - ${minutes} * interval '1 minute'
       where state = 'active'`,
    );
  await age(4);
  expect(await untaken()).toEqual([1n, 2n, 3n].map((account) => [account, false]));
  // Its worker was killed, and none runs that gives the build to another.
  await age(6);
  expect(await untaken()).toEqual([1n, 2n, 3n].map((account) => [account, true]));
  // A worker between two builds.
  await test.queue.complete(build, { outcome: 'published' });
  expect(await untaken()).toEqual([
    [2n, false],
    [3n, false],
  ]);
});

it('a running build comes before a waiting one, and ended builds and other accounts are left out', async () => {
  await test.enqueue([1n, 9n], { ...NIGHT, day: '2026-07-14' });
  await test.enqueue([1n]);
  await test.queue.enqueueRebuild([1n]);
  expect(await test.queue.take()).toMatchObject({ account_id: 1n, night: null });
  // A retry of another night has had more attempts.
  await test.service.query("update ops.job set state = 'retry', retry_count = 3 where state = 'created'");
  expect(await pending()).toMatchObject([{ account_id: 1n, state: 'building' }]);
  await test.service.query("update ops.job set state = 'failed'");
  expect(await pending()).toEqual([]);
});
