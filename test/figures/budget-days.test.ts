import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedOn } from '../../src/figures/budget.ts';
import {
  budgetDays,
  fiscalYearStart,
  lastCompleteMonth,
  quarterEndsBefore,
} from '../../src/figures/budget-days.ts';
import { addDays, lastOfMonth, monthAt, monthNumber } from '../../src/figures/calendar.ts';
import { compared, version } from './budget-versions.ts';

const SEED = 20_260_715;
const moment = (as_of: string, fiscal_year_start_month = 1) => ({ as_of, fiscal_year_start_month });

describe('the quarter ends before a day', () => {
  it.each([
    ['2026-07-15', 1, ['2026-03-31', '2026-06-30']],
    ['2026-07-15', 4, ['2026-03-31', '2026-06-30']],
    // fiscal years from February: quarters end with April, July, October and January
    ['2026-07-15', 2, ['2026-01-31', '2026-04-30']],
    ['2026-07-15', 12, ['2026-02-28', '2026-05-31']],
    ['2028-03-01', 12, ['2027-11-30', '2028-02-29']], // a leap year
    ['2026-01-01', 1, ['2025-09-30', '2025-12-31']], // the day after one
    ['2026-03-31', 1, ['2025-09-30', '2025-12-31']], // on its last day a quarter is not yet over
  ])('%s, fiscal years from month %i: %j', (as_of, start, expected) => {
    expect(quarterEndsBefore(moment(as_of, start), 2)).toEqual(expected);
  });

  it('are eight for a snapshot, then its own day, each knowing that day', () => {
    const days = budgetDays(moment('2026-06-30', 4));
    expect(days.map(({ as_of }) => as_of)).toEqual([
      '2024-06-30',
      '2024-09-30',
      '2024-12-31',
      '2025-03-31',
      '2025-06-30',
      '2025-09-30',
      '2025-12-31',
      '2026-03-31',
      '2026-06-30',
    ]);
    expect(new Set(days.map(({ today }) => today))).toEqual(new Set(['2026-06-30']));
  });

  it('end months, lie three months apart, begin quarters of the fiscal year and leave no whole one to come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 12 }), (offset, start) => {
        const as_of = addDays('2023-01-01', offset);
        const ends = quarterEndsBefore(moment(as_of, start), 8);
        expect(ends.map((day) => lastOfMonth(day))).toEqual(ends);
        for (const end of ends) expect((monthNumber(end) + 1 - (start - 1)) % 3).toBe(0);
        const last = ends.at(-1) ?? '';
        expect(last < as_of && lastOfMonth(monthAt(monthNumber(last) + 3)) >= as_of).toBe(true);
        expect(ends.map((day) => monthNumber(day))).toEqual(
          ends.map((_, index) => monthNumber(last) - 3 * (7 - index)),
        );
      }),
      { seed: SEED },
    );
  });
});

describe('the fiscal year of a day', () => {
  it.each([
    ['2026-07-15', 1, '2026-01-01'],
    ['2026-07-15', 4, '2026-04-01'],
    ['2026-03-31', 4, '2025-04-01'],
    ['2026-07-15', 8, '2025-08-01'],
    ['2026-07-15', 7, '2026-07-01'],
  ])('%s begins, in years from month %i, on %s', (as_of, start, expected) => {
    expect(monthAt(fiscalYearStart(moment(as_of, start)))).toBe(expected);
  });
});

describe('the last complete month', () => {
  it.each([
    ['2026-07-15', '2026-07-15', '2026-06-01'],
    ['2026-07-31', '2026-07-31', '2026-06-01'], // its last day is today: not yet over
    ['2026-08-01', '2026-08-01', '2026-07-01'],
    ['2026-06-30', '2026-07-15', '2026-06-01'], // a past day that ends its month
    ['2026-06-30', '2026-07-01', '2026-06-01'],
    ['2026-06-29', '2026-07-15', '2026-05-01'],
    ['2028-02-28', '2028-07-15', '2028-01-01'], // leap years have one more
    ['2028-02-29', '2028-07-15', '2028-02-01'],
  ])('on %s, seen from %s, is %s', (as_of, today, expected) => {
    expect(monthAt(lastCompleteMonth({ ...moment(as_of), today }))).toBe(expected);
  });
});

it.each([
  ['a version without an end', version(), null],
  ['a version that ends in the month of the day, before the day', version({ ends_on: '2026-07-01' }), null],
  ['a version that ended the month before', version({ ends_on: '2026-06-01' }), '2026-06-30'],
  ['a budget that begins later', version({ effective_from: '2026-10-20', ends_on: '2026-12-31' }), null],
] as const)('the last day of %s, as of 15 July', (_, only, last) => {
  expect(endedOn(compared({ versions: [only], spend: [] }))).toBe(last);
});
