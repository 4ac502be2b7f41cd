import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/figures/calendar.ts';
import { allTime, fiscalWindows } from '../../src/figures/windows.ts';
import type { FiscalMoment } from '../../src/figures/windows.ts';

const moment = (as_of: string, fiscal_year_start_month: number): FiscalMoment => ({
  as_of,
  fiscal_year_start_month,
});

/** Key, first and last day of each window, one text a window. */
const spans = (at: FiscalMoment, first: string, last = first): string[] =>
  [...fiscalWindows(at, first, last)].map((w) => `${w.window_key} ${w.from_date} ${w.through_date}`);

/** Whether each window is complete, for a scope whose one entry is in March 2026. */
const complete = (as_of: string): boolean[] =>
  [...fiscalWindows(moment(as_of, 1), '2026-03-01', '2026-03-01')].map((w) => w.window_complete);

describe('fiscal years and quarters', () => {
  it('are calendar ones when the year starts in January, named by their own year', () => {
    expect(spans(moment('2026-12-31', 1), '2026-01-01')).toEqual([
      'fy2026 2026-01-01 2026-12-31',
      'fy2026-q1 2026-01-01 2026-03-31',
      'fy2026-q2 2026-04-01 2026-06-30',
      'fy2026-q3 2026-07-01 2026-09-30',
      'fy2026-q4 2026-10-01 2026-12-31',
    ]);
  });

  it('are named by the calendar year in which they end: start in April', () => {
    expect(spans(moment('2026-03-31', 4), '2025-04-01')).toEqual([
      'fy2026 2025-04-01 2026-03-31',
      'fy2026-q1 2025-04-01 2025-06-30',
      'fy2026-q2 2025-07-01 2025-09-30',
      'fy2026-q3 2025-10-01 2025-12-31',
      'fy2026-q4 2026-01-01 2026-03-31',
    ]);
  });

  it('are named by the calendar year in which they end: start in July', () => {
    expect(spans(moment('2026-06-30', 7), '2026-06-30')).toEqual([
      'fy2026 2025-07-01 2026-06-30',
      'fy2026-q4 2026-04-01 2026-06-30',
    ]);
    expect(spans(moment('2026-07-01', 7), '2026-07-01')).toEqual([
      'fy2027 2026-07-01 2027-06-30',
      'fy2027-q1 2026-07-01 2026-09-30',
    ]);
  });

  it('are named by the calendar year in which they end: start in October', () => {
    expect(spans(moment('2024-01-01', 10), '2023-12-31')).toEqual([
      'fy2024 2023-10-01 2024-09-30',
      'fy2024-q1 2023-10-01 2023-12-31',
      'fy2024-q2 2024-01-01 2024-03-31',
    ]);
  });

  it('are named by the calendar year in which they end: start in February, the month after the calendar year’s own', () => {
    expect(spans(moment('2026-04-30', 2), '2026-02-01')).toEqual([
      'fy2027 2026-02-01 2027-01-31',
      'fy2027-q1 2026-02-01 2026-04-30',
    ]);
  });

  it('end on 29 February where a quarter does', () => {
    // The year starts in December: its first quarter is December to February.
    expect(spans(moment('2024-02-10', 12), '2024-02-10')).toEqual([
      'fy2024 2023-12-01 2024-11-30',
      'fy2024-q1 2023-12-01 2024-02-29',
    ]);
  });

  it('have a label to show', () => {
    const labels = [...fiscalWindows(moment('2025-09-01', 4), '2025-09-01', '2025-09-01')].map(
      (w) => `${w.window_kind}: ${w.window_label}`,
    );
    expect(labels).toEqual(['fiscal_year: FY2026', 'fiscal_quarter: FY2026 Q2']);
  });
});

describe('the run of windows', () => {
  it('runs from the first dated entry through the current window, without a gap', () => {
    expect(spans(moment('2026-05-20', 1), '2025-08-15').map((s) => s.split(' ')[0])).toEqual([
      'fy2025',
      'fy2025-q3',
      'fy2025-q4',
      'fy2026',
      'fy2026-q1',
      'fy2026-q2',
    ]);
  });

  it('goes on through the window of the last dated entry when that is later', () => {
    const keys = spans(moment('2026-05-20', 1), '2026-05-01', '2027-02-01').map((s) => s.split(' ')[0]);
    expect(keys).toEqual(['fy2026', 'fy2026-q2', 'fy2026-q3', 'fy2026-q4', 'fy2027', 'fy2027-q1']);
  });

  it('begins after the day described when the first dated entry does', () => {
    expect(spans(moment('2026-05-20', 1), '2026-12-01').map((s) => s.split(' ')[0])).toEqual([
      'fy2026',
      'fy2026-q4',
    ]);
  });

  it('is gapless, in the order of its keys, and covers both ends, for any fiscal year', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.tuple(
          fc.integer({ min: 0, max: 4000 }),
          fc.integer({ min: 0, max: 4000 }),
          fc.integer({ min: 0, max: 4000 }),
        ),
        (startMonth, offsets) => {
          const [as_of, a, b] = offsets.map((days) => addDays('2020-01-01', days)) as [
            string,
            string,
            string,
          ];
          const [first, last] = a < b ? [a, b] : [b, a];
          const windows = [...fiscalWindows(moment(as_of, startMonth), first, last)];
          const keys = windows.map((w) => w.window_key);
          expect(keys).toEqual([...new Set(keys)].toSorted());
          for (const kind of ['fiscal_year', 'fiscal_quarter']) {
            const run = windows.filter((w) => w.window_kind === kind);
            for (const [index, window] of run.entries()) {
              expect(window.from_date.slice(8)).toBe('01');
              const next = run[index + 1]?.from_date ?? addDays(window.through_date, 1);
              expect(next).toBe(addDays(window.through_date, 1));
            }
            const [head, tail] = [run[0], run.at(-1)];
            expect(head && head.from_date <= first && head.through_date >= first).toBe(true);
            const end = last > as_of ? last : as_of;
            expect(tail && tail.from_date <= end && tail.through_date >= end).toBe(true);
          }
        },
      ),
    );
  });
});

describe('a window is complete', () => {
  it('from the day after its last day, not on it', () => {
    expect(complete('2026-03-31')).toEqual([false, false]); // year, first quarter
    expect(complete('2026-04-01')).toEqual([false, true, false]); // year, first, second quarter
    expect(complete('2027-01-01')[0]).toBe(true);
  });

  it('never for all time', () => {
    expect(allTime(moment('2026-04-01', 1), '2020-01-01').window_complete).toBe(false);
  });
});

describe('all time', () => {
  it('has no first day and ends on the day described', () => {
    expect(allTime(moment('2026-04-01', 7), null)).toEqual({
      window_kind: 'all_time',
      window_key: 'all',
      window_label: 'All time',
      from_date: null,
      through_date: '2026-04-01',
      window_complete: false,
    });
  });

  it('ends where the latest-dated entry begins, if that is later', () => {
    expect(allTime(moment('2026-04-01', 7), '2026-08-19').through_date).toBe('2026-08-19');
  });
});
