import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allTime, fiscalWindows } from '../../../src/figures/windows.ts';
import { rowsOver, rowTrend, trendPoints } from '../../../src/serve/pages/row-trend.ts';
import {
  shownDollars,
  shownDifference,
  shownDollarDifference,
  shownShare,
  shownWindow,
} from '../../../src/serve/frame/shown-values.ts';
import { shownAge, shownCountOf, shownSize } from '../../../src/format.ts';

describe('cents as dollars', () => {
  it.each([
    [0n, '$0.00'],
    [5n, '$0.05'],
    [-5n, '−\u{2060}$0.05'],
    [123_456_789n, '$1,234,567.89'],
    [9_007_199_254_740_993n, '$90,071,992,547,409.93'], // 2^53 + 1
  ])('%s are %s', (cents, dollars) => expect(shownDollars(cents)).toBe(dollars));

  it('lose no cent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (cents) => {
        const shown = shownDollars(cents).replace('−\u{2060}', '-').replaceAll(/[$,.]/g, '');
        expect(BigInt(shown)).toBe(cents);
      }),
    );
  });
});

it.each([
  [0n, '0 seconds'],
  [119n, '119 seconds'],
  [120n, '2 minutes'],
  [3_599n, '59 minutes'],
  [172_799n, '47 hours'],
  [172_800n, '2 days'],
  [-5n, '0 seconds'], // a clock that is behind
])('an age of %s seconds is shown as %s', (seconds, shown) => {
  // 1970-01-02 is 86,400 seconds.
  expect(shownAge(86_400_000_000n, (86_400n + seconds) * 1_000_000n, 'long')).toBe(shown);
});

it.each([
  [1, '1 kB'],
  [99_999, '100 kB'],
  [100_000, '0.1 MB'],
  [1_234_567_890, '1,234.6 MB'],
])('%s bytes are %s', (bytes, shown) => expect(shownSize(bytes)).toBe(shown));

it.each([
  [0, 'rates'],
  [1, 'rate'],
  [1_000n, 'rates'],
])('%s of a thing has its word', (count, word) => {
  expect(shownCountOf(count, 'rate')).toBe(`${count === 1_000n ? '1,000' : count} ${word}`);
  expect(shownCountOf(1n, 'entry', 'entries')).toBe('1 entry');
});

it.each([
  [-0.113_608_4, '−11.4\u{A0}%'],
  [7.731_095, '773.1\u{A0}%'],
  [0, '0.0\u{A0}%'],
])('a share of %s is %s', (share, shown) => expect(shownShare(share)).toBe(shown));

it('a trend line goes from edge to edge, and has the maximum at the top', () => {
  // 144 wide and 24 high with a margin of 4: x 4, 72, 140; y 20 for the least, 4 for the most, 12 between.
  expect(trendPoints([0, 10, 5])).toEqual(['4.0,20.0', '72.0,4.0', '140.0,12.0']);
});

it.each([[[]], [[7]], [[7, 7, 7]]])('a number of rows that does not move has no trend line: %j', (rows) => {
  expect(rowTrend({ rows, here: 0 })).toBe('');
});

it('the dot on a line stands where the snapshot is, of those that have the table', async () => {
  const snapshots = ['d', 'c', 'b', 'a'].map((snapshot_id, index) => {
    const tables = snapshot_id === 'b' ? [] : [{ name: 'costs', row_count: 10 - index }];
    return { snapshot_id, tables };
  }) as unknown as readonly ReadableSnapshot[]; // what the line is made of
  // From a to d: 7, none, 9, 10.
  expect(rowsOver(snapshots, 'costs', 'c')).toEqual({ rows: [7, 9, 10], here: 1 });
  const drawn = async (id: string) => String(await rowTrend(rowsOver(snapshots, 'costs', id)));
  expect(await drawn('c')).toContain('<circle cx="72.0" cy="9.3"');
  expect(await drawn('b')).not.toContain('<circle');
  expect(rowTrend(rowsOver(snapshots.slice(0, 1), 'costs', 'd'))).toBe('');
});

it('a change is shown with its sign, and no change without a sign', () => {
  expect([1_234, 0, -7].map(shownDifference)).toEqual(['+1,234', '0', '−7']);
  expect([5n, 0n, -5n].map(shownDollarDifference)).toEqual(['+\u{2060}$0.05', '$0.00', '−\u{2060}$0.05']);
});

it('a window is shown by the label that the tables have for its key', () => {
  const moment = { as_of: '2026-07-15', fiscal_year_start_month: 4 };
  // Fiscal years 2025 and 2026 begin in April of the year before; nine quarters and three years were lived through.
  const windows = [allTime(moment, null), ...fiscalWindows(moment, '2024-04-01', '2026-03-31')];
  expect(windows.map(({ window_label }) => window_label)).toContain('FY2025 Q1');
  expect(windows.map(({ window_key }) => shownWindow(window_key))).toEqual(
    windows.map(({ window_label }) => window_label),
  );
});
