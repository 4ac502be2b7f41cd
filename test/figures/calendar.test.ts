import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  firstOfMonth,
  lastOfMonth,
  laterOf,
  monthAt,
  monthNumber,
  utcDay,
  yearsBefore,
} from '../../src/figures/calendar.ts';
import { useZone, ZONES } from '../support/zones.ts';

/** JavaScript's own calendar, the independent second opinion: whole days since 1970 to a day. */
const dateOf = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);
/** 1000-01-01 to 9998-12-31 in days since 1970: the years JavaScript writes with four digits, and ours. */
const days = fc.integer({ min: -354_285, max: 2_932_531 });

describe.each(ZONES)('on a host in %s', (zone, offset) => {
  useZone(zone, offset);

  describe('months', () => {
    it('begin on the first and end on the last day, leap years included', () => {
      expect(firstOfMonth('2026-11-15')).toBe('2026-11-01');
      expect(lastOfMonth('2026-11-01')).toBe('2026-11-30');
      expect(lastOfMonth('2026-12-31')).toBe('2026-12-31');
      expect(lastOfMonth('2024-02-01')).toBe('2024-02-29'); // divisible by 4
      expect(lastOfMonth('2026-02-10')).toBe('2026-02-28');
      expect(lastOfMonth('1900-02-01')).toBe('1900-02-28'); // a century
      expect(lastOfMonth('2000-02-01')).toBe('2000-02-29'); // divisible by 400
    });

    it('are added across the end of a year, in both directions', () => {
      expect(addMonths('2026-11-01', 3)).toBe('2027-02-01');
      expect(addMonths('2026-01-31', -1)).toBe('2025-12-01');
      expect(addMonths('2026-07-01', 0)).toBe('2026-07-01');
    });

    it('are counted without a gap', () => {
      expect(monthNumber('2027-01-31') - monthNumber('2026-12-01')).toBe(1);
      expect(monthAt(monthNumber('2026-12-31'))).toBe('2026-12-01');
    });
  });

  describe('days', () => {
    it('are added across months, years and 29 February', () => {
      expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
      expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
      expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
      expect(addDays('0001-01-01', 365)).toBe('0002-01-01');
    });

    it('agree with an independent calendar over nine thousand years', () => {
      fc.assert(
        fc.property(days, fc.integer({ min: -1000, max: 1000 }), (day, step) => {
          fc.pre(day + step >= -354_285 && day + step <= 2_932_531);
          expect(addDays(dateOf(day), step)).toBe(dateOf(day + step));
        }),
      );
    });
  });

  describe('the same day some years earlier', () => {
    it('is 28 February where there is no 29th', () => {
      expect(yearsBefore('2024-02-29', 1)).toBe('2023-02-28');
      expect(yearsBefore('2024-02-29', 4)).toBe('2020-02-29');
      expect(yearsBefore('2025-02-28', 1)).toBe('2024-02-28');
    });

    it('is otherwise the same day of the same month', () => {
      expect(yearsBefore('2026-11-15', 3)).toBe('2023-11-15');
      expect(yearsBefore('2026-12-31', 5)).toBe('2021-12-31');
    });
  });

  describe('the UTC day of an instant', () => {
    it('changes at midnight, to the microsecond', () => {
      // 20,000 days after 1970-01-01 is 2024-10-04: 54 years are 19,724 days up to 2024-01-01, and day 277 of a leap year.
      expect(utcDay(20_000n * 86_400_000_000n)).toBe('2024-10-04');
      expect(utcDay(20_000n * 86_400_000_000n - 1n)).toBe('2024-10-03');
    });

    it('is the day before for the last microsecond before 1970', () => {
      expect(utcDay(0n)).toBe('1970-01-01');
      expect(utcDay(-1n)).toBe('1969-12-31');
      expect(utcDay(-86_400_000_000n)).toBe('1969-12-31');
    });

    it('agrees with an independent calendar', () => {
      fc.assert(
        fc.property(days, fc.bigInt({ min: 0n, max: 86_399_999_999n }), (day, microseconds) => {
          expect(utcDay(BigInt(day) * 86_400_000_000n + microseconds)).toBe(dateOf(day));
        }),
      );
    });
  });

  it('the later of two days is the first when there is no second', () => {
    expect(laterOf('2026-11-15', '2026-11-16')).toBe('2026-11-16');
    expect(laterOf('2026-11-15', '2025-12-31')).toBe('2026-11-15');
    expect(laterOf('2026-11-15', null)).toBe('2026-11-15');
  });
});
