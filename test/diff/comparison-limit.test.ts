/** how long a comparison of a server waits for those before it: the server closes a silent connection after 30 s. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { After } from '../../src/concurrency-limit.ts';
import { cacheDiffs } from '../../src/diff/diff-cache.ts';
import { cacheFeeds } from '../../src/diff/feed-cache.ts';
import type { TablePair } from '../../src/diff/feed-file.ts';
import type { ReadableSnapshot } from '../../src/snapshot/format/served-manifest.ts';

const FILE = { size_bytes: 1, close: async () => undefined };
/** Of a snapshot, only its id and tables are looked at. */
const snapshot = (snapshot_id: string): ReadableSnapshot => ({ snapshot_id, tables: [] }) as never;
const [EARLIER, LATER] = [snapshot('20260714T020000Z'), snapshot('20260715T020000Z')];

/** What makes one piece of work of an account, on its turn. */
type Make = (account_id: bigint) => Promise<void>;

const KINDS: Readonly<Record<string, (make: Make, after?: After) => (account: bigint) => Promise<string>>> = {
  comparison: (make, after) => {
    const diffs = cacheDiffs(async ({ account_id }) => {
      await make(account_id);
      return { ...FILE, tables: [], read: async () => [] };
    }, after);
    return (account) => diffs.use(account, EARLIER, LATER, async () => `answer ${account}`);
  },
  'file of the change feed': (make, after) => {
    const feeds = cacheFeeds(async ({ account_id }) => {
      await make(account_id);
      return { ...FILE, rows: 0, sha256: '', read: async () => new Uint8Array() };
    }, after);
    const pair: Omit<TablePair, 'account_id'> = { table: 'costs', earlier: EARLIER, later: LATER };
    return (account_id) => feeds.use({ ...pair, account_id }, async () => `answer ${account_id}`);
  },
};

describe.each(Object.entries(KINDS))('a %s', (_, open) => {
  it('is refused with 503 once it has waited 15 s, stands in no list afterwards, and is made at the next try', async () => {
    const waits: { ms: number; run: () => void; over: boolean }[] = [];
    const made: bigint[] = [];
    const ends: (() => void)[] = [];
    const use = open(
      async (account) => {
        made.push(account);
        await new Promise<void>((end) => ends.push(end));
      },
      (ms, run) => {
        const wait = { ms, run, over: false };
        waits.push(wait);
        return () => (wait.over = true);
      },
    );
    const first = use(7n);
    const [late, next] = [use(8n), use(9n)];
    const refused = late.catch((error: unknown) => error);
    await setImmediate(); // until all of them wait
    expect(waits.map(({ ms }) => ms)).toEqual([15_000, 15_000]);
    waits[0]?.run();
    expect(await refused).toMatchObject({
      code: 'comparison_waited',
      status: 503,
      message: 'This comparison waited 15 s for the comparisons before it; try again in some seconds.',
    });
    ends.shift()?.();
    await setImmediate();
    expect(made).toEqual([7n, 9n]); // and not the refused one
    expect(waits[1]?.over).toBe(true); // what began is refused no more
    ends.shift()?.();
    const again = use(8n);
    await setImmediate();
    expect(made).toEqual([7n, 9n, 8n]);
    ends.shift()?.();
    expect(await Promise.all([first, next, again])).toEqual(['answer 7', 'answer 9', 'answer 8']);
  });

  it('of a command, which has no timer, waits as long as it must', async () => {
    const gate = Promise.withResolvers<void>();
    const use = open(() => gate.promise);
    const both = Promise.all([use(7n), use(8n)]);
    gate.resolve();
    expect(await both).toEqual(['answer 7', 'answer 8']);
  });
});
