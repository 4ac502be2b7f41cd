/** What the queue hands out to no worker, and a database without its tables. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBuildQueue } from '../../src/ops/queue.ts';
import { createDatabase } from '../support/database.ts';
import { type TestQueue, openTestQueue } from './queue-harness.ts';

let test: TestQueue;
beforeAll(async () => {
  test = await openTestQueue();
});
afterEach(() => test.service.query('delete from ops.job'));
afterAll(() => test[Symbol.asyncDispose]());

describe('a job that is no build', () => {
  it.each([
    { account_id: '1; drop table ops.job' },
    { account_id: -1 },
    { account_id: 1.5 },
    { account_id: 1, sql: 'select 1' },
    ['1'],
    null,
  ])('is not handed to a worker: %j', async (data) => {
    await test.enqueue([7n]);
    await test.service.query(`update ops.job set data = $1`, [JSON.stringify(data)]);
    await test.enqueue([8n]);
    expect(await test.queue.take()).toMatchObject({ account_id: 8n });
    expect(await test.queue.take()).toBeNull();
  });
});

it('the queue says to migrate where its tables are missing', async () => {
  const database = await createDatabase('template_ledger');
  const owner = await database.client('cf_owner');
  await owner.query('drop table ops.version');
  const opening = openBuildQueue({
    service: database.pool('cf_service'),
    supervise: true,
    onError: () => undefined,
  });
  await expect(opening).rejects.toMatchObject({
    code: 'queue_unready',
    hint: expect.stringContaining('crossfoot migrate'),
  });
  await database.drop();
});
