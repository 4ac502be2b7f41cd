/** Ranges that other workers read: the build publishes the files of one connection. */
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import type { Store } from '../../../src/store/store.ts';
import { type BuildHarness, openBuildHarness, type Served, untilNoSession } from '../builder/real-build.ts';
import { cutOff, faultyClient } from '../builder/faulty-tools.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { keysIn, openRangeWorkers, type RangeWorkers } from './range-workers.ts';

/** The company has 60 costs: eight row groups of 8 rows, and more of other tables. */
const group_rows = 8;

let harness: BuildHarness;
let admin: Client;
let workers: RangeWorkers;
let checksBeside: SetChecks;
let ofOneConnection: ReturnType<typeof filesOf>;
let besideOfOneConnection: ReturnType<typeof filesBesideOf>;
beforeAll(async () => {
  harness = await openBuildHarness();
  admin = await harness.database.admin();
  workers = await openRangeWorkers(harness, group_rows);
  checksBeside = await readChecksBeside();
  await harness.build({ group_rows, checksBeside });
  const served = await harness.served();
  ofOneConnection = filesOf(served);
  besideOfOneConnection = filesBesideOf(served);
});
/** A session that is lost while it reads a table. */
const connect = (): Promise<Client> => faultyClient(harness.connect, 'copy (', cutOff);

afterEach(() => untilNoSession(admin));
afterAll(async () => {
  await workers[Symbol.asyncDispose]();
  await harness.close();
});

/** What a snapshot publishes, without its times. */
function filesOf(served: Served | null) {
  return served === null ? null : { tables: served.tables, files: served.files };
}

/** The files of the other sets. */
function filesBesideOf(served: Served | null) {
  if (served === null) return null;
  const { companions, focus, sums } = served;
  return { companions, focus, sums };
}

const servedIn = async (store: Store) => filesOf(await harness.served(1n, store));

it('a build whose ranges two workers store publishes the files of one connection', async () => {
  const stored: string[] = [];
  const store = await workers.build(
    async (into) => {
      await workers.work({ store: into, lanes: 2 });
      stored.push(...(await keysIn(into)));
      expect(new Set((await workers.jobs()).map(({ state }) => state))).toEqual(new Set(['completed']));
    },
    { checksBeside },
  );
  // Each range is a part of its own, in a directory that no reader opens.
  for (const table of ['costs', 'api_cost_entries', 'focus']) {
    const part = new RegExp(`^v1/a/1/r/20260715T020000Z-[0-9a-f]{32}/${table}\\.[12]\\.part$`);
    expect(stored.filter((key) => part.test(key))).toHaveLength(2);
  }
  expect(stored.every((key) => key.startsWith('v1/a/1/r/'))).toBe(true);
  expect(filesBesideOf(await harness.served(1n, store))).toEqual(besideOfOneConnection);
  expect(await servedIn(store)).toEqual(ofOneConnection);
});

itInSweeps('a build reads the ranges itself that no worker has begun', async () => {
  const store = await workers.build(
    async (into) => {
      await workers.work({ store: into, ranges: 3 });
      const waiting = (await workers.jobs()).filter(({ state }) => state === 'created');
      expect(waiting.length).toBeGreaterThan(3);
    },
    { range_lanes: 2 },
  );
  expect(await servedIn(store)).toEqual(ofOneConnection);
});

itInSweeps('a build that reaches no queue reads all its ranges itself', async () => {
  const store = await harness.emptyStore();
  await harness.build({ group_rows, ranges: 2, store, shareRanges: async () => null });
  expect(await servedIn(store)).toEqual(ofOneConnection);
});

itInSweeps(
  'a range whose worker died after it had stored the part is stored once more, with the same bytes',
  async () => {
    const store = await workers.build(async (into) => {
      await workers.work({ store: into, ranges: 1, dies: true });
      const [first] = await keysIn(into);
      expect((await workers.jobs())[0]).toEqual({ state: 'active', retries: 0 });
      await workers.passHeartbeat();
      expect((await workers.jobs())[0]).toEqual({ state: 'retry', retries: 0 });
      await workers.work({ store: into, ranges: 1 });
      expect((await workers.jobs())[0]).toEqual({ state: 'completed', retries: 1 });
      expect(await keysIn(into)).toEqual([first]);
    });
    expect(await servedIn(store)).toEqual(ofOneConnection);
  },
);

itInSweeps('a worker whose connection is lost leaves its range to the build', async () => {
  const store = await workers.build(async (into) => {
    await workers.work({ store: into, ranges: 1, connect });
    expect(await workers.jobs()).toContainEqual({ state: 'retry', retries: 0 });
  });
  expect(await servedIn(store)).toEqual(ofOneConnection);
});
