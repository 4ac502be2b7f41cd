import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Change, mirrored } from '../../src/diff/change.ts';
import { changesOf, cacheDiffs } from '../../src/diff/diff-cache.ts';
import { added, between, comparing, moved, wholeDiff } from './kept-diffs-harness.ts';

const FIRST = '20260815T020000Z';
const SECOND = '20260816T020000Z';
const THIRD = '20260817T020000Z';
const day = (index: number): string => `202609${10 + index}T020000Z`;

describe('the comparison of two snapshots', () => {
  it('is worked out once for an account, in either direction and for any number of readers', async () => {
    const { diffs, compared } = comparing();
    await Promise.all([
      between(diffs, FIRST, SECOND, wholeDiff),
      between(diffs, SECOND, FIRST, wholeDiff),
      between(diffs, FIRST, SECOND, wholeDiff),
    ]);
    await between(diffs, FIRST, SECOND, wholeDiff);
    expect(compared).toEqual([`7 ${FIRST} ${SECOND}`]);
    await between(diffs, FIRST, SECOND, wholeDiff, 8n);
    expect(compared).toEqual([`7 ${FIRST} ${SECOND}`, `8 ${FIRST} ${SECOND}`]);
  });

  it('has no row from a snapshot to itself, and reads nothing', async () => {
    const { diffs, compared } = comparing();
    const seen = await between(diffs, FIRST, FIRST, async (diff) => [diff.tables, await wholeDiff(diff)]);
    expect(seen).toEqual([
      [
        { name: 'costs', added: 0, removed: 0, changed: 0 },
        { name: 'budgets', added: 0, removed: 0, changed: 0 },
      ],
      { changes: [], next: null },
    ]);
    expect(compared).toEqual([]);
  });

  it('comes in pages, of all tables or of one', async () => {
    const { diffs } = comparing();
    const pages = await between(diffs, FIRST, SECOND, async (diff) => [
      await diff.page(0, 2),
      await diff.page(2, 2),
      await diff.page(0, 1, 'costs'),
      await diff.page(1, 1, 'costs'),
      await diff.page(0, 5, 'budgets'),
      await diff.page(0, 5, 'snapshot'),
    ]);
    expect(pages).toEqual([
      { changes: [added, added], next: 2 },
      { changes: [moved], next: null },
      { changes: [added], next: 1 },
      { changes: [added], next: null },
      { changes: [moved], next: null },
      { changes: [], next: null },
    ]);
  });

  it('is read to the last row, for any number of rows', async () => {
    const rows = Array.from({ length: 1_203 }, (_, id): Change => ({ ...moved, key: { budget_id: id } }));
    const diffs = cacheDiffs(async () => ({
      tables: [
        { name: 'costs', added: 2, removed: 0, changed: 0 },
        { name: 'budgets', added: 0, removed: 0, changed: 1_201 },
      ],
      size_bytes: 1,
      read: async (first, end) => rows.slice(first, end),
      close: async () => undefined,
    }));
    const [all, ofBudgets] = await between(diffs, FIRST, SECOND, async (diff) => [
      await Array.fromAsync(changesOf(diff)),
      await Array.fromAsync(changesOf(diff, 'budgets')),
    ]);
    expect([all, ofBudgets]).toEqual([rows, rows.slice(2)]);
  });

  it('has its sides exchanged and amounts of the other sign when read backwards; reasons stay', async () => {
    const { diffs } = comparing();
    const [tables, { changes }] = await between(
      diffs,
      SECOND,
      FIRST,
      async (diff) => [diff.tables, await wholeDiff(diff)] as const,
    );
    expect(tables[0]).toEqual({ name: 'costs', added: 0, removed: 2, changed: 0 });
    expect(changes[0]).toEqual({
      ...added,
      change: 'removed',
      before: { amount_cents: 500 },
      after: null,
      effects: [
        {
          initiative_id: 3,
          month: '2026-08-01',
          cash_value_cents: -7,
          freed_capacity_cents: -1,
          capex_cents: 3,
          opex_cents: -500,
          vendor_price_effect_cents: 2,
        },
        // toEqual tells 0 from -0, which JSON does not have.
        { ...added.effects[1], opex_cents: -1 },
      ],
    });
    expect(changes[2]).toEqual({
      ...moved,
      before: { capex_cents: 2 },
      after: { capex_cents: 1 },
      moved: [
        {
          figure: 'cost_cents',
          before_cents: 500,
          after_cents: 0,
          because: [{ reason: 'entry_added', cents: -500, entries: 1 }],
        },
      ],
    });
  });
});

it('a row that was removed was added, read backwards', async () => {
  const removed: Change = { ...moved, change: 'removed', after: null };
  expect(mirrored(removed)).toMatchObject({ change: 'added', before: null, after: { capex_cents: 1 } });
});

describe('comparisons', () => {
  it('A-16: run one after the other, of each account in turn; the tenth of one account is refused', async () => {
    const { diffs, compared, waiting } = comparing(10, true);
    const asked = Array.from({ length: 9 }, (_, index) => between(diffs, FIRST, day(index), wholeDiff, 7n));
    await expect(between(diffs, FIRST, THIRD, wholeDiff, 7n)).rejects.toMatchObject({
      code: 'figures_in_flight',
    });
    asked.push(between(diffs, FIRST, SECOND, wholeDiff, 8n), between(diffs, FIRST, THIRD, wholeDiff, 8n));
    for (let done = 1; done <= 11; done += 1) {
      await setImmediate(); // the next begins at once
      expect(waiting.length).toBe(1);
      expect(compared.length).toBe(done);
      waiting.pop()?.();
    }
    await Promise.all(asked);
    expect(compared.slice(0, 5)).toEqual([
      `7 ${FIRST} ${day(0)}`,
      `8 ${FIRST} ${SECOND}`,
      `7 ${FIRST} ${day(1)}`,
      `8 ${FIRST} ${THIRD}`,
      `7 ${FIRST} ${day(2)}`,
    ]);
  });

  it('that fail are tried again, and stop no other comparison', async () => {
    let tried = 0;
    const diffs = cacheDiffs(() => {
      tried += 1;
      return Promise.reject(new Error('no disk'));
    });
    for (const to of [SECOND, SECOND, THIRD]) {
      await expect(between(diffs, FIRST, to, wholeDiff)).rejects.toThrow('no disk');
    }
    expect(tried).toBe(3);
    await diffs.close();
  });

  it('are evicted above the maximum number, the least recently requested first', async () => {
    const { diffs, closed } = comparing();
    for (let account = 1n; account <= 16n; account += 1n)
      await between(diffs, FIRST, SECOND, wholeDiff, account);
    await between(diffs, FIRST, SECOND, wholeDiff, 1n);
    expect(closed).toEqual([]);
    await between(diffs, FIRST, SECOND, wholeDiff, 17n);
    expect(closed).toEqual([`2 ${FIRST} ${SECOND}`]);
  });

  it('are not closed while a request reads them', async () => {
    const { diffs, closed } = comparing();
    const page = await between(diffs, FIRST, SECOND, async (diff) => {
      await diffs.close();
      expect(closed).toEqual([]);
      return await wholeDiff(diff);
    });
    expect([page.changes.length, closed]).toEqual([3, [`7 ${FIRST} ${SECOND}`]]);
  });

  it('that were evicted stay open until their last reader is done', async () => {
    const { diffs, closed } = comparing();
    const reading = Promise.withResolvers<void>();
    const last = between(diffs, FIRST, SECOND, async (diff) => {
      await reading.promise;
      return await wholeDiff(diff);
    });
    await between(diffs, FIRST, SECOND, () => diffs.close());
    expect(closed).toEqual([]);
    reading.resolve();
    expect([(await last).changes.length, closed]).toEqual([3, [`7 ${FIRST} ${SECOND}`]]);
  });

  it('without a row are kept like others', async () => {
    const { diffs, compared } = comparing(0);
    for (let times = 1; times <= 2; times += 1) await between(diffs, FIRST, SECOND, wholeDiff);
    expect(compared).toEqual([`7 ${FIRST} ${SECOND}`]);
  });

  it('too large for the cache answer their request, and are closed', async () => {
    const { diffs, compared, closed } = comparing(2_000_000_000);
    for (const times of [1, 2]) {
      expect((await between(diffs, FIRST, SECOND, wholeDiff)).changes.length).toBe(3);
      expect([compared.length, closed.length]).toEqual([times, times]);
    }
  });

  it('are evicted above one gibibyte in total, the least recently requested first', async () => {
    const { diffs, closed } = comparing(2 ** 29 - 1); // and a byte of its own: two of them fill it
    for (let account = 1n; account <= 2n; account += 1n)
      await between(diffs, FIRST, SECOND, wholeDiff, account);
    expect(closed).toEqual([]);
    await between(diffs, FIRST, SECOND, wholeDiff, 3n);
    expect(closed).toEqual([`1 ${FIRST} ${SECOND}`]);
  });

  it('that run are waited for when all are closed, and closed then', async () => {
    const { diffs, closed, waiting } = comparing(10, true);
    const asked = between(diffs, FIRST, SECOND, wholeDiff);
    await setImmediate(); // the next begins at once
    expect(waiting.length).toBe(1);
    const closing = diffs.close();
    waiting.pop()?.();
    expect((await asked).changes.length).toBe(3);
    await closing;
    expect(closed).toEqual([`7 ${FIRST} ${SECOND}`]);
  });
});
