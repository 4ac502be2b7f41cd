/** A worker that reads for a build of another process notices that the build has ended. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atMoment, whileMomentIsOpen } from '../../../src/snapshot/builder/build-moment.ts';
import { outcomeOf } from '../../support/waiting.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase('template_company');
});
afterAll(() => database.drop());

it('the work of a worker ends once the transaction of the moment has ended, and not before', async () => {
  const job = { account_id: 1n, signal: new AbortController().signal };
  const connections = { connect: () => database.client('cf_reader') };
  // Each wait of the watch ends when the test says so.
  const waits: PromiseWithResolvers<void>[] = [];
  const begun: (() => void)[] = [];
  const sleep = async (_: number, signal?: AbortSignal): Promise<void> => {
    const wait = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => wait.resolve());
    waits.push(wait);
    begun.shift()?.();
    await wait.promise;
  };
  const nextWait = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(resolve);
    waits.at(-1)?.resolve();
    await promise;
  };
  let seen: AbortSignal | undefined;
  let work: Promise<unknown> = Promise.resolve();
  await atMoment(job, connections, async (_, moment) => {
    work = outcomeOf(
      whileMomentIsOpen(job, { ...connections, sleep }, moment, async (signal) => {
        seen = signal;
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => reject(new Error('the statement was cancelled')));
        await promise;
      }),
    );
    await nextWait();
    await nextWait();
    expect(seen?.aborted).toBe(false);
  });
  waits.at(-1)?.resolve();
  await expect.poll(() => seen?.aborted).toBe(true);
  expect(await work).toMatchObject({ code: 'moment_unseen' });
});
