/** Many pages of one reader, while another account reads: what runs at once, what is refused, and who comes next. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { createRowLimit } from '../../../src/serve/limits/row-limit.ts';
import { fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { fakeRows } from '../fake-rows.ts';
import { openBrowser } from '../pages/browser.ts';

const PAGES = 120;

/** The accounts whose rows are being read now, and the function that ends the oldest read. */
let reading: { account: bigint; end: () => void }[];
let most: number;
type Browser = ReturnType<typeof openBrowser>;
let browsers: Record<'one' | 'other', Browser>;
beforeEach(async () => {
  reading = [];
  most = 0;
  const slow: Pick<SnapshotReader, 'openRows'> = {
    async openRows(account, _, table) {
      const rows = fakeRows(table);
      if (table.name !== 'costs') return rows;
      return {
        ...rows,
        groups: [{ first: 0, rows: 1, least: () => null, greatest: () => null }],
        async *read() {
          await new Promise<void>((end) => reading.push({ account, end }));
          yield* [];
        },
      };
    },
  };
  const { app } = fakeApp({ snapshots: Object.assign(new FakeSnapshots(), slow) });
  browsers = { one: openBrowser(app), other: openBrowser(app) };
  await browsers.one.signIn(TOKENS.personal);
  await browsers.other.signIn(TOKENS.other);
});

const page = (browser: Browser, first: number): Promise<Response> =>
  browser.send(`/snapshots/${LATEST}/tables/costs?sort=-description&cost_entry_id_from=${first}`);

/** Ends the oldest read, and says whose it was. */
async function endOne(): Promise<bigint | undefined> {
  await expect.poll(() => reading.length).toBeGreaterThan(0);
  most = Math.max(most, reading.length);
  const read = reading.shift();
  read?.end();
  return read?.account;
}

/** Ends the reads one by one until all of these are answered. */
async function endUntil(answered: Promise<unknown>): Promise<void> {
  const state = { over: false };
  void answered.finally(() => {
    state.over = true;
  });
  while (!state.over) {
    if (reading.length > 0) await endOne();
    else await setImmediate();
  }
}

describe('A-16: 120 pages of rows of one reader', () => {
  it('are made one at a time, sixteen wait, and the others are refused', async () => {
    const asked = Array.from({ length: PAGES }, (_, first) => page(browsers.one, first));
    const answers = Promise.all(asked);
    await endUntil(answers);
    expect([most, reading]).toEqual([1, []]);
    const statuses = (await answers).map(({ status, headers }) => `${status} ${headers.get('retry-after')}`);
    expect(
      Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]),
    ).toEqual([
      ['200 null', 17],
      ['429 1', 103],
    ]);
  });

  it('leave the pages of another account a slot of its own', async () => {
    const asked = Array.from({ length: PAGES }, (_, first) => page(browsers.one, first));
    await expect.poll(() => reading.length).toBeGreaterThan(0);
    expect(reading).toHaveLength(1);
    const other = [1, 2, 3].map((first) => page(browsers.other, first));
    await expect.poll(() => reading.length).toBe(2);
    const ended: (bigint | undefined)[] = [];
    for (let read = 0; read < 20; read += 1) ended.push(await endOne());
    expect(ended.slice(0, 6)).toEqual([7n, 8n, 7n, 8n, 7n, 8n]);
    await endUntil(Promise.all(asked));
    expect((await Promise.all(other)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(17);
  });
});

it('A-16: a page of rows that waits for 15 s is refused, before the server closes its connection', async () => {
  const waits: { ms: number; run: () => void }[] = [];
  const limit = createRowLimit((ms, run) => {
    waits.push({ ms, run });
    return () => undefined;
  });
  const first = Promise.withResolvers<string>();
  const made = limit.run(7n, 1, () => first.promise);
  const late = limit.run(7n, 1, async () => 'late');
  await Promise.resolve();
  waits[0]?.run();
  await expect(late).rejects.toMatchObject({ code: 'figures_in_flight', status: 429 });
  expect(waits.map(({ ms }) => ms)).toEqual([15_000]);
  first.resolve('first');
  await expect(made).resolves.toBe('first');
});
