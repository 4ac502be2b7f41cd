/** What somebody who can write to the queue can make a worker do: build an account that reports, and nothing else. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestQueue, type TestQueue } from '../ops/queue-harness.ts';

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Anything that JSON can hold, and whatever looks most like the id of an account. */
const payload = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({
    account_id: fc.oneof(
      fc.constantFrom('1', '1; drop table ledger.accounts', 0, -1, 1.5, 1e20, null, [1]),
      fc.string(),
    ),
  }),
  fc.constantFrom(
    { account_id: 1, command: 'rm -rf /' },
    { account_id: 1, night: '2026-07-15' },
    { account_id: { account_id: 1 } },
  ),
);

it('A-39: none of 200 jobs with a malformed payload runs, and each fails', async () => {
  const payloads = fc.sample(payload, { numRuns: 200, seed: 20_261_121 });
  const queueing = payloads.map((data) => [randomUUID(), JSON.stringify(data)]);
  await test.enqueue([7n]);
  await test.service.query(
    `insert into ops.job (id, name, data, priority, start_after)
     select id::uuid, 'build', data::jsonb, 100, now() - interval '1 hour' from unnest($1::text[], $2::text[]) as queued (id, data)`,
    [queueing.map(([id]) => id), queueing.map(([, data]) => data)],
  );
  const taken = await test.queue.take();
  expect(taken?.account_id).toBe(7n);
  expect(await test.queue.take()).toBeNull();
  const { rows } = await test.service.query<{ code: string; count: bigint }>(
    `select output ->> 'code' as code, count(*) from ops.job where priority = 100 group by 1`,
  );
  expect(rows).toEqual([{ code: 'job_malformed', count: 200n }]);
});
