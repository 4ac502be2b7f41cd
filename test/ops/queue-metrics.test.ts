/** What Prometheus is told of the night, its dead letters and the deliveries, from a real database. */
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { queueGauges } from '../../src/ops/queue-metrics.ts';
import { foundAccount } from '../support/ledger-rows.ts';
import { NIGHT, type TestQueue, openTestQueue } from './queue-harness.ts';

let test: TestQueue;
let admin: Client;
beforeAll(async () => {
  test = await openTestQueue();
  admin = await test.database.admin();
});
beforeEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

/** The samples of a gauge as they are read now, by label; those that are 0 are left out. */
async function samples(name: string): Promise<Readonly<Record<string, number>>> {
  const gauges = queueGauges(test.service, async () => NIGHT.day);
  const read = await Promise.all(gauges.map((gauge) => gauge.get()));
  const values = read.find((gauge) => gauge.name === name)?.values ?? [];
  return Object.fromEntries(
    values
      .filter(({ value }) => value !== 0)
      .map(({ labels, value }) => [String(labels['state'] ?? labels['of'] ?? ''), value]),
  );
}

it('builds are those of the last night, by state', async () => {
  await test.enqueue([1n, 2n, 3n]);
  await test.queue.take();
  await test.enqueue([1n], { ...NIGHT, day: '2026-07-14' });
  expect(await samples('crossfoot_builds')).toEqual({ building: 1, queued: 2 });
});

it('rebuilds are counted apart by state, a refused rebuild too, and one without a retry for a day', async () => {
  await test.queue.enqueueRebuild([1n, 2n, 3n, 4n, 5n]);
  for (const [code, dies] of [
    ['audit_refused', false],
    ['ledger_locked', false],
    ['audit_refused', true],
  ] as const) {
    const build = await test.queue.take();
    if (build === null) throw new Error('no rebuild was due');
    if (dies) await test.service.query('update ops.job set retry_limit = 0 where id = $1', [build.id]);
    await test.queue.fail(build, { code, message: 'One cent.', hint: null });
  }
  await test.queue.take();
  expect(await samples('crossfoot_rebuilds')).toEqual({
    refused: 1,
    failed: 1,
    dead: 1,
    building: 1,
    queued: 1,
  });
  expect(await samples('crossfoot_builds')).toEqual({});
  await test.service.query(
    `update ops.job set completed_on = now() - interval '25 hours' where name = 'build' and state = 'failed'`,
  );
  expect(await samples('crossfoot_rebuilds')).toEqual({ refused: 1, failed: 1, building: 1, queued: 1 });
});

it('dead letters are the builds that died within a day, and no other job', async () => {
  await test.enqueue([1n, 2n, 3n]);
  await test.service.query('update ops.job set retry_limit = 0');
  for (let dead = 0; dead < 2; dead += 1) {
    const build = await test.queue.take();
    if (build === null) throw new Error('no build was due');
    await test.queue.fail(build, { code: 'ledger_locked', message: 'Locked.', hint: null });
  }
  expect(await samples('crossfoot_dead_letters')).toEqual({ '': 2 });
  const age = (hours: number) =>
    test.service.query(
      `update ops.job set created_on = now() - $1 * interval '1 hour'
       where id = (select id from ops.job where name = 'build-dead' order by id limit 1)`,
      [hours],
    );
  await age(23);
  expect(await samples('crossfoot_dead_letters')).toEqual({ '': 2 });
  await age(25);
  expect(await samples('crossfoot_dead_letters')).toEqual({ '': 1 });
});

/** An event of an account with one delivery to its webhook; ids of two accounts may be the same. */
async function deliver(account: bigint, id: number, state: string, hours: number): Promise<void> {
  await admin.query(
    `insert into ops.events (account_id, id, message_id, type, occurred_at, body)
     values ($1, $2, gen_random_uuid(), 'snapshot.published', now() - $3 * interval '1 hour', '{}')`,
    [account, id, hours],
  );
  await admin.query(
    `insert into ops.deliveries (account_id, event_id, webhook_id, state) values ($1, $2, $1, $3)`,
    [account, id, state],
  );
}

it('deliveries are those that are pending, and those that failed of events of the last two days', async () => {
  const owner = await test.database.client('cf_owner');
  const [one, two] = [(await foundAccount(owner)).account, (await foundAccount(owner)).account];
  for (const account of [one, two]) {
    await admin.query(
      `insert into vault.webhooks (account_id, id, url, secrets) values ($1, $1, 'https://hooks.example', '{secret}')`,
      [account],
    );
  }
  expect(await samples('crossfoot_deliveries')).toEqual({});
  await deliver(one, 1, 'failed', 47);
  await deliver(two, 1, 'delivered', 1);
  await deliver(one, 2, 'failed', 49);
  await deliver(one, 3, 'disabled', 1);
  await deliver(one, 4, 'pending', 49);
  await deliver(two, 4, 'pending', 1);
  expect(await samples('crossfoot_deliveries')).toEqual({ failed: 1, pending: 2 });
});

it('a failed build is failing until its retry has published, also while the retry runs', async () => {
  await test.enqueue([1n, 2n]);
  await test.queue.enqueueRebuild([3n]);
  const rebuild = await test.queue.take();
  const first = await test.queue.take();
  if (first === null || rebuild === null) throw new Error('nothing was queued');
  expect(await samples('crossfoot_failing_builds')).toEqual({});
  const failure = { code: 'database_unreachable', message: 'It did not answer.', hint: null };
  await test.queue.fail(first, failure);
  await test.queue.fail(rebuild, failure);
  expect(await samples('crossfoot_failing_builds')).toEqual({ night: 1, rebuild: 1 });
  await test.service.query(`update ops.job set start_after = now() where name = 'build'`);
  const running = [await test.queue.take(), await test.queue.take(), await test.queue.take()];
  expect(await samples('crossfoot_failing_builds')).toEqual({ night: 1, rebuild: 1 });
  for (const each of running) {
    if (each !== null && each.account_id !== 2n) await test.queue.complete(each, { outcome: 'published' });
  }
  // The build of account 2 still runs.
  expect(await samples('crossfoot_builds')).toEqual({ building: 1, published: 1 });
  expect(await samples('crossfoot_failing_builds')).toEqual({});
});

it('a build that the audit refused is not failing: it has an alert of its own', async () => {
  await test.enqueue([1n]);
  const build = await test.queue.take();
  if (build === null) throw new Error('nothing was queued');
  await test.queue.fail(build, { code: 'audit_refused', message: 'One cent.', hint: null });
  expect(await samples('crossfoot_failing_builds')).toEqual({});
});
