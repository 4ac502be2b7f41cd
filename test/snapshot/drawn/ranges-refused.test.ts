/** Ranges that other workers cannot read: the build publishes nothing, and leaves nothing. */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { QueuedRange } from '../../../src/ops/range-queue.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { cutOff, faultyClient } from '../builder/faulty-tools.ts';
import { type BuildHarness, change, openBuildHarness, untilNoSession } from '../builder/real-build.ts';
import { keysIn, openRangeWorkers, type RangeWorkers } from './range-workers.ts';

let harness: BuildHarness;
let owner: Client;
let admin: Client;
let workers: RangeWorkers;
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  admin = await harness.database.admin();
  workers = await openRangeWorkers(harness, 8);
});
/** A session that sees the present in place of the moment. */
const atLaterMoment = (): Promise<Client> =>
  faultyClient(harness.connect, 'set transaction snapshot', () => 'select');
/** A session that is lost while it reads a table. */
const untilLost = (): Promise<Client> => faultyClient(harness.connect, 'copy (', cutOff);

afterEach(() => untilNoSession(admin));
afterAll(async () => {
  await workers[Symbol.asyncDispose]();
  await harness.close();
});

it('a worker that sees a later moment refuses the snapshot', async () => {
  const refusal = await outcomeOf(
    workers.build(async (store) => {
      await change(owner, 'update ledger.accounts set name = name where id = 1');
      await workers.work({ store, ranges: 1, connect: atLaterMoment });
    }),
  );
  expect(refusal).toMatchObject({
    code: 'moment_unseen',
    message:
      'A connection that should read a range of a table does not see the moment of the build; nothing was published.',
  });
});

it('a range that three workers in a row cannot read refuses the snapshot with the error of the last', async () => {
  const refusal = await outcomeOf(
    workers.build(async (store) => {
      await workers.work({ store, ranges: 3, connect: untilLost });
      expect((await workers.jobs())[0]).toEqual({ state: 'failed', retries: 2 });
    }),
  );
  expect(refusal).toMatchObject({ code: 'copy_failed' });
});

it('a part whose bytes changed in the store refuses the snapshot', async () => {
  const refusal = await outcomeOf(
    workers.build(async (store) => {
      await workers.work({ store, ranges: 1 });
      const [key = ''] = await keysIn(store);
      const { size = 0 } = (await store.stat(key)) ?? {};
      const bytes = (await store.readSmall(key, size)) ?? new Uint8Array();
      // A byte of a page: neither the footer nor an index shows it.
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      await store.delete(key);
      await store.create(key, bytes);
    }),
  );
  expect(refusal).toMatchObject({
    code: 'parts_refused',
    message: expect.stringMatching(/: part 1 has other bytes than its worker wrote; nothing was kept\.$/),
  });
});

it('a stop of the build withdraws its ranges, and removes the stored part', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped by the test');
  const stopped = workers.build(
    async (store) => {
      await workers.work({ store, ranges: 1 });
      expect(await keysIn(store)).toHaveLength(1);
      stop.abort(reason);
    },
    { signal: stop.signal },
  );
  expect(await outcomeOf(stopped)).toBe(reason);
});

it('a range that the queue has lost refuses the snapshot', async () => {
  const refusal = await outcomeOf(
    workers.build(async () => {
      const taken = await workers.queue.take();
      if (taken !== null) await workers.queue.withdraw(taken.range.build);
    }),
  );
  expect(refusal).toMatchObject({
    code: 'parts_refused',
    message: expect.stringMatching(/: part 1 was not written; nothing was kept\.$/),
  });
});

it('a range whose build has ended is refused without a retry, and no part is stored', async () => {
  const offered: QueuedRange[] = [];
  await outcomeOf(
    workers.build(async () => {
      const taken = await workers.queue.take();
      if (taken !== null) offered.push(taken.range);
      // The build is killed: its transaction ends.
      throw new Error('killed by the test');
    }),
  );
  const store = await harness.emptyStore();
  await workers.queue.offer(offered);
  await workers.work({ store });
  expect(await workers.jobs()).toEqual([{ state: 'completed', retries: 0 }]);
  expect(await keysIn(store)).toEqual([]);
  for (const { build } of offered) await workers.queue.withdraw(build);
});
