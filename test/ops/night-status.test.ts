import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteHandBuild } from '../../src/ops/account-changes.ts';
import { readNightStatus } from '../../src/ops/night-status.ts';
import type { TakenBuild } from '../../src/ops/queue.ts';
import { instantOf } from '../support/instant-of.ts';
import { NIGHT, type TestQueue, openTestQueue } from './queue-harness.ts';

const MAX = { troubles: 10, slowest: 2 };

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterAll(() => test[Symbol.asyncDispose]());

it('the status of a night that was not queued has only zeros', async () => {
  expect(await readNightStatus(test.service, NIGHT.day, MAX)).toEqual({
    counts: { queued: 0, building: 0, published: 0, off: 0, refused: 0, failed: 0, dead: 0 },
    last_ended_at: null,
    troubles: [],
    slowest: [],
    rebuilds: 0,
    rebuild_counts: { queued: 0, building: 0, refused: 0, failed: 0, dead: 0 },
    rebuild_troubles: [],
    failing: { night: 0, rebuild: 0 },
    dead_letters: 0,
  });
});

it('the status counts every build of the night by state, and lists the failed and the slowest builds', async () => {
  await test.enqueue([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
  const taken: TakenBuild[] = [];
  for (let build = await test.queue.take(); build !== null; build = await test.queue.take())
    taken.push(build);
  const build = (account: bigint): TakenBuild => {
    const found = taken.find(({ account_id }) => account_id === account);
    if (found === undefined) throw new Error(`account ${account} was not taken`);
    return found;
  };
  // 1, 2 and 3 are published after 10, 30 and 20 seconds, 4 no longer reports, 5 is refused, 6 failed, 7 is dead,
  // 8 is given back and 9 still runs.
  for (const [account, outcome] of [
    [1n, 'published'],
    [2n, 'skipped'],
    [3n, 'superseded'],
    [4n, 'off'],
  ] as const) {
    await test.queue.complete(build(account), { outcome });
  }
  await test.service.query(
    `update ops.job set started_on = completed_on - ('[0:3]={10,30,20,999}'::int[])[(data ->> 'account_id')::int - 1]
       * interval '1 second' where state = 'completed'`,
  );
  await test.queue.fail(build(5n), { code: 'audit_refused', message: 'One cent.', hint: null });
  await test.queue.fail(build(6n), { code: 'ledger_locked', message: 'Locked.', hint: null });
  await test.service.query(`update ops.job set retry_limit = 0 where (data ->> 'account_id')::int = 7`);
  await test.queue.fail(build(7n), { code: 'table_lost_rows', message: 'Gone.', hint: null });
  await test.queue.giveBack(build(8n));
  // A build that names no account is none of the night.
  await test.enqueue([10n]);
  await test.service.query(
    `update ops.job set data = '{"account_id": "ten"}' where name = 'build' and data ->> 'account_id' = '10'`,
  );
  // Neither a rebuild nor another night is counted.
  await test.queue.enqueueRebuild([1n, 2n]);
  await test.enqueue([1n], { ...NIGHT, day: '2026-07-16' });

  expect(await readNightStatus(test.service, NIGHT.day, MAX)).toEqual({
    counts: { queued: 1, building: 1, published: 3, off: 1, refused: 1, failed: 1, dead: 1 },
    last_ended_at: expect.anything(),
    troubles: [
      {
        account_id: 5n,
        state: 'refused',
        tries: 1,
        code: 'audit_refused',
        message: 'One cent.',
        os_code: null,
        ended_at: null,
      },
      {
        account_id: 6n,
        state: 'failed',
        tries: 1,
        code: 'ledger_locked',
        message: 'Locked.',
        os_code: null,
        ended_at: null,
      },
      {
        account_id: 7n,
        state: 'dead',
        tries: 1,
        code: 'table_lost_rows',
        message: 'Gone.',
        os_code: null,
        ended_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      },
    ],
    slowest: [
      { account_id: 2n, seconds: 30 },
      { account_id: 3n, seconds: 20 },
    ],
    rebuilds: 2,
    rebuild_counts: { queued: 2, building: 0, refused: 0, failed: 0, dead: 0 },
    rebuild_troubles: [],
    failing: { night: 1, rebuild: 0 },
    dead_letters: 1,
  });
});

it('the status has the time of the last build of the night, and of no other build', async () => {
  await test.service.query('delete from ops.job');
  const complete = async (at: string): Promise<void> => {
    for (let build = await test.queue.take(); build !== null; build = await test.queue.take()) {
      await test.queue.complete(build, { outcome: 'published' });
      await test.service.query('update ops.job set completed_on = $1 where id = $2', [at, build.id]);
    }
  };
  for (const [account, at] of [
    [1n, '2026-07-15T02:14:00Z'],
    [2n, '2026-07-15T02:10:00Z'],
  ] as const) {
    await test.enqueue([account]);
    await complete(at);
  }
  await test.queue.enqueueRebuild([1n]);
  await complete('2026-07-15T09:00:00Z');
  expect((await readNightStatus(test.service, NIGHT.day, MAX)).last_ended_at).toBe(
    instantOf('2026-07-15T02:14:00.000000Z'),
  );
});

it('the status names a refused rebuild that waits for its retry, and one of the last day without a retry', async () => {
  await test.service.query('delete from ops.job');
  await test.queue.enqueueRebuild([4n, 5n, 6n]);
  for (let build = await test.queue.take(); build !== null; build = await test.queue.take()) {
    if (build.account_id === 6n) await test.queue.complete(build, { outcome: 'published' });
    else await test.queue.fail(build, { code: 'audit_refused', message: 'One cent.', hint: null });
  }
  const troubles = async (): Promise<unknown> => {
    const status = await readNightStatus(test.service, NIGHT.day, MAX);
    expect(status.troubles).toEqual([]);
    return status.rebuild_troubles.map(({ account_id, state, code, message }) => [
      account_id,
      state,
      `${code}: ${message}`,
    ]);
  };
  const words = 'audit_refused: One cent.';
  expect(await troubles()).toEqual([
    [4n, 'refused', words],
    [5n, 'refused', words],
  ]);
  const of = (account: number, set: string) =>
    test.service.query(`update ops.job set ${set} where (data ->> 'account_id')::int = ${account}`);
  await of(4, "state = 'failed', completed_on = now() - interval '23 hours'");
  await of(5, "state = 'failed', completed_on = now() - interval '25 hours'");
  expect(await troubles()).toEqual([[4n, 'dead', words]]);
});

it('the status counts a table that lost rows as refused, not as failed, while its build is tried again', async () => {
  await test.service.query('delete from ops.job');
  await test.enqueue([1n]);
  const build = await test.queue.take();
  if (build === null) throw new Error('the queued build was not taken');
  await test.queue.fail(build, { code: 'table_lost_rows', message: 'Gone.', hint: null });
  const { counts, troubles } = await readNightStatus(test.service, NIGHT.day, MAX);
  expect([counts.refused, counts.failed, counts.dead]).toEqual([1, 0, 0]);
  expect(troubles).toMatchObject([
    { account_id: 1n, state: 'refused', tries: 1, code: 'table_lost_rows', message: 'Gone.', os_code: null },
  ]);
});

it('the status names the lower account first of two builds that took equally long', async () => {
  await test.service.query('delete from ops.job');
  await test.enqueue([3n, 1n, 2n]);
  for (let build = await test.queue.take(); build !== null; build = await test.queue.take())
    await test.queue.complete(build, { outcome: 'published' });
  await test.service.query(`update ops.job set started_on = completed_on - interval '5 s'`);
  const { slowest } = await readNightStatus(test.service, NIGHT.day, MAX);
  expect(slowest).toEqual([
    { account_id: 1n, seconds: 5 },
    { account_id: 2n, seconds: 5 },
  ]);
});

it('the status gives the time of the build itself, and that of its job if no build told its time', async () => {
  await test.service.query('delete from ops.job');
  await test.enqueue([1n, 2n]);
  for (let build = await test.queue.take(); build !== null; build = await test.queue.take())
    await test.queue.complete(build, { outcome: 'published', ...(build.account_id === 1n && { ms: 6_701 }) });
  await test.service.query(`update ops.job set started_on = completed_on - interval '8.9 s'`);
  await noteHandBuild(test.service, {
    account_id: 3n,
    night: NIGHT.day,
    snapshot_id: '20260715T020000Z',
    terms: 'a digest',
    ms: 12_345,
  });
  const { slowest } = await readNightStatus(test.service, NIGHT.day, { ...MAX, slowest: 3 });
  expect(slowest).toEqual([
    { account_id: 3n, seconds: 12.345 },
    { account_id: 2n, seconds: 8.9 },
    { account_id: 1n, seconds: 6.701 },
  ]);
});

it('the status counts a rebuild that died among the dead letters, and not among the rebuilds', async () => {
  await test.service.query('delete from ops.job');
  await test.queue.enqueueRebuild([1n]);
  await test.service.query('update ops.job set retry_limit = 0');
  const build = await test.queue.take();
  if (build === null) throw new Error('the rebuild was not taken');
  await test.queue.fail(build, { code: 'ledger_locked', message: 'Locked.', hint: null });
  const { rebuilds, dead_letters } = await readNightStatus(test.service, NIGHT.day, MAX);
  expect([rebuilds, dead_letters]).toEqual([0, 1]);
});

it('the status counts waiting and running rebuilds, and no cancelled build', async () => {
  await test.service.query('delete from ops.job');
  await test.queue.enqueueRebuild([1n, 2n, 3n]);
  await test.queue.take();
  const done = await test.queue.take();
  if (done === null) throw new Error('the second rebuild was not taken');
  await test.queue.complete(done, { outcome: 'published' });
  await test.enqueue([4n]);
  await test.service.query("update ops.job set state = 'cancelled' where singleton_key is not null");
  const { counts, troubles, rebuilds } = await readNightStatus(test.service, NIGHT.day, MAX);
  expect(rebuilds).toBe(2);
  expect([Object.values(counts).reduce((sum, builds) => sum + builds), troubles]).toEqual([0, []]);
});

it('the status says of a silent worker that its heartbeat timed out', async () => {
  await test.service.query('delete from ops.job');
  await test.enqueue([1n]);
  await test.queue.take();
  await test.passHeartbeat();
  const { counts, troubles } = await readNightStatus(test.service, NIGHT.day, MAX);
  expect(counts.failed).toBe(1);
  expect(troubles).toEqual([
    expect.objectContaining({ code: 'unforeseen', message: 'job heartbeat timeout', tries: 1 }),
  ]);
});
