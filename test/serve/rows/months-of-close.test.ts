/** Which months are closed, as the overview says it. */
import { expect, it } from 'vitest';
import { accounting_periods } from '../../../src/tables/accounting_periods.ts';
import { closedSentence, readClosedMonths } from '../../../src/serve/rows/months-of-close.ts';
import { rowsOf } from '../given-snapshots.ts';
import { textOf } from '../money/served-company.ts';

type Months = Parameters<typeof readClosedMonths>[0];

/** The sentence about these months, each with its lock. */
async function told(months: readonly (readonly [month: string, locked: boolean])[]): Promise<string> {
  const rows = rowsOf(
    accounting_periods,
    months.map(([month, locked]) => ({ month, locked })),
  );
  const closed = await readClosedMonths(rows as unknown as Months); // rows of this table
  return textOf(String(await closedSentence(closed, 'months')));
}

it('closed months are named as runs without a gap, also across a year; open and reopened months are none', async () => {
  expect(
    await told([
      ['2025-11-01', true],
      ['2025-12-01', true],
      ['2026-01-01', true],
      ['2026-02-01', false],
      ['2026-03-01', true],
    ]),
  ).toBe('4 closed months : Nov 2025 to Jan 2026, Mar 2026.');
  expect(await told([['2026-03-01', true]])).toBe('1 closed month : Mar 2026.');
});

it('a reader of closed months gets the newest six runs of many', async () => {
  const odd = ['01', '03', '05', '07', '09', '11'].map((month) => [`2026-${month}-01`, true] as const);
  expect(await told([['2025-06-01', true], ...odd])).toBe(
    '7 closed months : earlier ones, Jan 2026, Mar 2026, May 2026, Jul 2026, Sep 2026, Nov 2026.',
  );
});

it('an account that closes months says so when none is closed, and an account without any close says nothing', async () => {
  expect(await told([['2026-03-01', false]])).toBe('No month is closed.');
  expect(await told([])).toBe('');
});
