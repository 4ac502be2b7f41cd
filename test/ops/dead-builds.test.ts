/** Builds that died, as the dead letters of the queue tell. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDeadBuilds } from '../../src/ops/dead-builds.ts';
import { NIGHT, type TestQueue, openTestQueue } from './queue-harness.ts';

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Fails the next build for good, with this code if any. */
async function die(code?: string): Promise<void> {
  await test.service.query('update ops.job set retry_limit = 0');
  const build = await test.queue.take();
  if (build === null) throw new Error('no build was due');
  const failure = { message: 'It failed.', hint: null, ...(code === undefined ? {} : { code }) };
  await test.queue.fail(build, failure as Parameters<typeof test.queue.fail>[1]); // without a code as pg-boss writes it
}

it('the dead builds are those of the last days, oldest first, without jobs that name no account', async () => {
  await test.enqueue([1n]);
  await die('ledger_locked');
  await test.queue.enqueueRebuild([2n]);
  await die();
  await test.enqueue([3n], { ...NIGHT, day: '2026-07-16' });
  await die('audit_refused');
  await test.service.query(
    `update ops.job set created_on = created_on - interval '8 days' where name = 'build-dead' and data ->> 'account_id' = '3'`,
  );
  const none = ['"four"', '4.5', '1e20'];
  for (const [index, account] of none.entries()) {
    await test.enqueue([BigInt(4 + index)]);
    await test.service.query(
      `update ops.job set retry_limit = 0, data = '{"account_id": ${account}}' where data ->> 'account_id' = '${4 + index}' and name = 'build'`,
    );
    // Laid among the dead letters by the queue itself.
    expect(await test.queue.take()).toBeNull();
  }
  const dead = await test.service.query("select from ops.job where name = 'build-dead'");
  expect(dead.rowCount).toBe(3 + none.length);

  const told = async (days: number) =>
    (await readDeadBuilds(test.service, days)).map(({ account_id, night, code }) => [
      account_id,
      night,
      code,
    ]);
  const week = [
    [1n, '2026-07-15', 'ledger_locked'],
    [2n, null, 'unforeseen'],
  ];
  expect(await told(7)).toEqual(week);
  expect(await told(9)).toEqual([[3n, '2026-07-16', 'audit_refused'], ...week]);
});
