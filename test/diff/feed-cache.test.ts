import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { cacheFeeds } from '../../src/diff/feed-cache.ts';
import type { TablePair } from '../../src/diff/feed-file.ts';

const FILE = {
  rows: 0,
  size_bytes: 1,
  sha256: '0'.repeat(64),
  read: async () => new Uint8Array(),
  close: async () => undefined,
};

it('A-16: files of the change feed are written one at a time, for each account in turn; the 18th of one is refused', async () => {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const feeds = cacheFeeds(async ({ account_id, later }) => {
    written.push(`${account_id} ${later.snapshot_id}`);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return FILE;
  });
  const use = (account_id: bigint, day: number) => {
    const later = { snapshot_id: `day ${day}` };
    // Only ids are read of the snapshots.
    return feeds.use(
      { account_id, table: 'costs', earlier: { snapshot_id: 'day 0' }, later } as TablePair,
      async () => day,
    );
  };
  const asked = Array.from({ length: 17 }, (_, index) => use(7n, index + 1));
  await expect(use(7n, 18)).rejects.toMatchObject({ code: 'figures_in_flight' });
  asked.push(use(8n, 1), use(8n, 2));
  for (let done = 1; done <= 19; done += 1) {
    await setImmediate(); // the next begins at once
    expect(waiting.length).toBe(1);
    expect(written.length).toBe(done);
    waiting.pop()?.();
  }
  await Promise.all(asked);
  expect(written.slice(0, 5)).toEqual(['7 day 1', '8 day 1', '7 day 2', '8 day 2', '7 day 3']);
});
