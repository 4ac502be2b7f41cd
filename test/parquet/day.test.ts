import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { epochDays } from '../../src/parquet/day.ts';

it.each([
  ['1970-01-01', 0],
  ['1969-12-31', -1],
  ['1970-03-01', 59], // 31 + 28
  ['2000-01-01', 10_957], // 30 years of 365 days and the leap days of 1972, 76, 80, 84, 88, 92, 96
  ['2000-02-29', 11_016], // 10,957 + 31 + 28
  ['2000-03-01', 11_017],
  ['2100-03-01', 47_541], // 11,017 + 100 × 365 + the 24 leap days of 2004 to 2096; 2100 has none
])('the day %s is day %i', (day, days) => {
  expect(epochDays(day)).toBe(days);
});

it("every day has the number of the language's calendar", () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_162, max: 2_932_896 }), (days) => {
      expect(epochDays(new Date(days * 86_400_000).toISOString().slice(0, 10))).toBe(days);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '2026-01-01T00',
  '',
])('the text %j is no day', (day) => {
  expect(epochDays(day)).toBeUndefined();
});
