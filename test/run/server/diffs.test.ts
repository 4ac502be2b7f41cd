/** The comparisons of a server, with the real tools: what closing them does. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { CompareTools } from '../../../src/diff/compare.ts';
import { openDiffs, openFeeds } from '../../../src/run/server/diffs.ts';
import { HeldSnapshots } from '../../diff/held-snapshots.ts';
import { company } from '../../snapshot/audit/audited-company.ts';

let held: HeldSnapshots;
let root: string;
beforeAll(async () => {
  held = new HeldSnapshots();
  root = await mkdtemp(join(tmpdir(), 'crossfoot-diffs-'));
});
afterAll(async () => {
  await rm(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

afterEach(() => {
  vi.useRealTimers();
});

const said = (error: unknown): unknown => error;

type Given = Parameters<typeof openDiffs>[0];
type Pair = Awaited<ReturnType<typeof both>>;

const both = async () =>
  [await held.hold('20260815T020000Z', company()), await held.hold('20260816T020000Z', company())] as const;

it('closing stops the comparison that runs: it reads no further table, and leaves nothing behind', async () => {
  const [from, to] = await both();
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const opened: string[] = [];
  const snapshots: CompareTools['snapshots'] = {
    openTable: async (account_id, snapshot_id, table) => {
      opened.push(table);
      asked.resolve();
      await goOn.promise;
      return await held.reader.openTable(account_id, snapshot_id, table);
    },
  };
  const diffs = await openDiffs({ snapshots, root });
  const used = Promise.allSettled([diffs.use(7n, from, to, async ({ tables }) => tables)]);
  await asked.promise;
  const closed = diffs.close();
  goOn.resolve();
  await closed;
  expect(await used).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }]);
  expect([opened, await readdir(root)]).toEqual([['snapshot'], []]);
});

it('the comparisons of a closed server are gone: a known pair is compared anew, which is refused', async () => {
  const [from, to] = await both();
  const diffs = await openDiffs({ snapshots: held.reader, root });
  const names = await diffs.use(7n, from, to, async ({ tables }) => tables.length);
  await diffs.close();
  expect(names).toBe(14);
  await expect(diffs.use(7n, from, to, async ({ tables }) => tables)).rejects.toThrow('aborted');
});

it.each([
  [
    'comparison',
    async (given: Given) => {
      const diffs = await openDiffs(given);
      const use = (account: bigint, [from, to]: Pair): Promise<unknown> =>
        diffs.use(account, from, to, async ({ tables }) => tables);
      return { use, close: () => diffs.close() };
    },
  ],
  [
    'file of the change feed',
    async (given: Given) => {
      const feeds = await openFeeds(given);
      const use = (account_id: bigint, [earlier, later]: Pair): Promise<unknown> =>
        feeds.use({ account_id, table: 'costs', earlier, later }, async ({ rows }) => rows);
      return { use, close: () => feeds.close() };
    },
  ],
])('a %s waits at most 15 s for that of another account, by the timer of the process', async (_, open) => {
  const pair = await both();
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const snapshots: CompareTools['snapshots'] = {
    openTable: async () => {
      asked.resolve();
      await goOn.promise;
      throw new Error('the first is over');
    },
  };
  const { use, close } = await open({ snapshots, root });
  const first = use(7n, pair).catch(said);
  await asked.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = use(8n, pair).catch(said);
  await vi.advanceTimersByTimeAsync(15_000);
  goOn.resolve();
  expect(await late).toMatchObject({ code: 'comparison_waited' });
  expect(await first).toMatchObject({ message: 'the first is over' });
  await close();
});
