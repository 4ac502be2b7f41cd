/** A feed over 14 days of hourly snapshots: what it holds at once, how long one request takes, and how the next goes on. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { After } from '../../src/concurrency-limit.ts';
import { cacheFeeds } from '../../src/diff/feed-cache.ts';
import type { TablePair } from '../../src/diff/feed-file.ts';
import { bearer, fakeApp, FakeSnapshots, LATEST, TOKENS } from '../serve/fake-parts.ts';
import { linesOf, refusalOf } from '../serve/sharing/shared-company.ts';

const HOURS = 14 * 24;

/** The pairs of one table, each version with the one before it; only ids are read of the snapshots. */
function pairsOf(account_id: bigint, table: string): readonly TablePair[] {
  return Array.from({ length: HOURS }, (_, hour) => {
    const [earlier, later] = [{ snapshot_id: `${hour}` }, { snapshot_id: `${hour + 1}` }];
    return { account_id, table, earlier, later } as TablePair;
  });
}

/** Files that are written at once, or each on its turn; counts those that are written and open. */
function countedFeeds({ after, byHand = false }: { after?: After; byHand?: boolean } = {}) {
  const counted = { written: 0, writing: 0, most_writing: 0, open: 0, most_open: 0 };
  const turns: (() => void)[] = [];
  const feeds = cacheFeeds(async () => {
    counted.written += 1;
    counted.most_writing = Math.max(counted.most_writing, (counted.writing += 1));
    if (byHand) await new Promise<void>((resolve) => turns.push(resolve));
    else await setImmediate();
    counted.writing -= 1;
    counted.most_open = Math.max(counted.most_open, (counted.open += 1));
    return {
      rows: 1,
      size_bytes: 1,
      sha256: '0'.repeat(64),
      read: async () => new Uint8Array(1),
      close: async () => {
        counted.open -= 1;
      },
    };
  }, after);
  return { feeds, counted, turns };
}

it('A-16: feeds of 336 versions at once compare one pair at a time, and hold at most 33 files open', async () => {
  const { feeds, counted } = countedFeeds();
  const asked = [7n, 8n].flatMap((account) =>
    ['costs', 'budgets', 'costs'].map(async (table) => {
      const facts = await feeds.walk(pairsOf(account, table), (pair) => feeds.facts(pair));
      return facts.length;
    }),
  );
  expect(await Promise.all(asked)).toEqual(Array(6).fill(HOURS));
  expect([counted.most_writing, counted.most_open]).toEqual([1, 33]);
  expect(counted.written).toBe(4 * HOURS); // two readers of one table share each file
  await feeds.close();
  expect(counted.open).toBe(0);
});

it('the facts of a file stay known after the file has left the cache', async () => {
  const { feeds, counted } = countedFeeds();
  const pairs = pairsOf(7n, 'costs');
  const read = () => feeds.walk(pairs, (pair) => feeds.facts(pair));
  const first = await read();
  expect(await read()).toEqual(first);
  expect(counted.written).toBe(HOURS);
  expect(await feeds.use(pairs[0] as TablePair, ({ rows }) => Promise.resolve(rows))).toBe(1); // made again for its bytes
  expect(counted.written).toBe(HOURS + 1);
});

/** Account 7 with a version each hour; every id has the same tables. */
class Hourly extends FakeSnapshots {
  override async versions() {
    return Array.from({ length: HOURS }, (_, hour) => {
      return { seq: hour + 1, snapshot_id: `hour ${hour}`, expired: false, pins: [], damaged_files: [] };
    });
  }

  override async pinned(account_id: bigint, snapshot_id: string) {
    const snapshot = await super.pinned(account_id, LATEST);
    return snapshot && { ...snapshot, snapshot_id };
  }
}

it('A-16: a request for the changes of 100 versions is refused after 20 s, and the next goes on where it was', async () => {
  const timers: { ms: number; run: () => void; over: boolean }[] = [];
  const after: After = (ms, run) => {
    const timer = { ms, run, over: false };
    timers.push(timer);
    return () => (timer.over = true);
  };
  const { feeds, counted, turns } = countedFeeds({ after, byHand: true });
  const { app } = fakeApp({ snapshots: new Hourly(), feeds });
  const path = '/delta-sharing/shares/crossfoot/schemas/reporting/tables/costs/changes';
  const ask = async () =>
    await app.request(`${path}?startingVersion=2&endingVersion=101`, bearer(TOKENS.reporting));
  const untilWriting = async (written: number) => {
    for (let round = 0; round < 1_000 && counted.written < written; round += 1) await setImmediate();
    expect(counted.written).toBe(written);
  };

  const first = ask();
  for (let done = 1; done <= 37; done += 1) {
    await untilWriting(done);
    turns.shift()?.();
  }
  await untilWriting(38);
  expect(timers.map(({ ms }) => ms)).toEqual([20_000]);
  timers[0]?.run();
  const late = await first;
  expect(late.headers.get('retry-after')).toBe('10');
  const [status, { message }] = await refusalOf(late);
  expect([status, message]).toEqual([
    503,
    'After 20 s the changes of 37 of 100 versions are known; try again in some seconds to go on from there.',
  ]);

  turns.shift()?.(); // the comparison that ran ends, and no further one begins
  for (let round = 0; round < 5; round += 1) await setImmediate();
  expect([counted.written, counted.writing]).toEqual([38, 0]);

  const second = ask();
  for (let done = 39; done <= 100; done += 1) {
    await untilWriting(done);
    turns.shift()?.();
  }
  const answer = await second;
  const [, , ...files] = await linesOf(answer);
  expect([answer.status, files.length, counted.written]).toEqual([200, 100, 100]);
  expect(timers.map(({ over }) => over)).toEqual([true, true]); // an answered request is refused no more
});
