/**
 * What a cost's period makes of published rates, worked by hand. Euros throughout unless a case says otherwise, so that
 * a published `USD 1.10` is the rate itself; 100.00 euros unless a case gives another amount. In 2026, 7 March is a
 * Saturday, 3 and 6 April are Good Friday and Easter Monday, 31 January is a Saturday.
 */
import type { ConversionCase } from './conversion-case.ts';

const FIRST_WEEK = { period_start: '2026-03-01', period_end: '2026-03-07' };
const EASTER = { period_start: '2026-04-03', period_end: '2026-04-06' };

export const PERIOD_CASES: readonly ConversionCase[] = [
  {
    name: 'a period that ends on a weekend is complete with the Monday after it',
    row: FIRST_WEEK,
    steps: [
      // Until then the latest stands in: 10000 × 1.20
      {
        today: '2026-03-08',
        publish: ['2026-03-02 USD 1.10', '2026-03-06 USD 1.20'],
        is: '12000 at 1.2, 2026-03-06..2026-03-06, provisional',
        outcome: 'provisional',
      },
      // (1.10 + 1.20) / 2 = 1.15; Monday's own rate is outside.
      { today: '2026-03-09', publish: ['2026-03-09 USD 1.30'], is: '11500 at 1.15, 2026-03-02..2026-03-06' },
    ],
  },
  {
    name: 'holidays have no rate: a period of nothing else takes the last day before it',
    row: EASTER,
    steps: [
      // 10000 × 1.08 of Thursday; Tuesday the 7th is what makes it complete.
      {
        today: '2026-04-06',
        publish: ['2026-04-02 USD 1.08'],
        is: '10800 at 1.08, 2026-04-02..2026-04-02, provisional',
        outcome: 'provisional',
      },
      { today: '2026-04-07', publish: ['2026-04-07 USD 1.50'], is: '10800 at 1.08, 2026-04-02..2026-04-02' },
    ],
  },
  {
    name: 'a period is complete with the rate of its very last day',
    row: { period_start: '2026-03-02', period_end: '2026-03-03' },
    steps: [
      {
        today: '2026-03-02',
        publish: ['2026-03-02 USD 1.10'],
        is: '11000 at 1.1, 2026-03-02..2026-03-02, provisional',
        outcome: 'provisional',
      },
      // (1.10 + 1.12) / 2 = 1.11
      { today: '2026-03-03', publish: ['2026-03-03 USD 1.12'], is: '11100 at 1.11, 2026-03-02..2026-03-03' },
    ],
  },
  {
    name: 'a rate dated after today does not count, neither in the average nor for completeness',
    row: { period_start: '2026-03-02', period_end: '2026-03-03' },
    steps: [
      {
        today: '2026-03-02',
        publish: ['2026-03-02 USD 1.10', '2026-03-03 USD 1.12'],
        is: '11000 at 1.1, 2026-03-02..2026-03-02, provisional',
        outcome: 'provisional',
      },
      { today: '2026-03-03', is: '11100 at 1.11, 2026-03-02..2026-03-03' },
    ],
  },
  {
    name: 'without an end a period ends with its month: 29 February in a leap year',
    row: { period_start: '2024-02-01', period_end: null },
    steps: [
      // (1.00 + 1.50) / 2 = 1.25; 1 March is outside.
      {
        today: '2024-03-01',
        publish: ['2024-02-01 USD 1.00', '2024-02-29 USD 1.50', '2024-03-01 USD 9.00'],
        is: '12500 at 1.25, 2024-02-01..2024-02-29',
      },
    ],
  },
  {
    name: 'without an end a period of value ends with its month, too',
    table: 'value_entries',
    row: { period_start: '2026-02-01', period_end: null },
    steps: [
      // 28 February 2026 is a Saturday.
      {
        today: '2026-02-28',
        publish: ['2026-02-02 USD 1.10', '2026-02-27 USD 1.20'],
        is: 'nothing',
        outcome: 'waiting',
      },
      // (1.10 + 1.20) / 2 = 1.15
      { today: '2026-03-02', publish: ['2026-03-02 USD 1.90'], is: '11500 at 1.15, 2026-02-02..2026-02-27' },
    ],
  },
  {
    name: 'without an end a period ends with its month: 28 February in any other year',
    row: { period_start: '2026-02-02', period_end: null },
    steps: [
      // 27 February is a Friday: incomplete until Monday, 2 March. (1.00 + 1.50) / 2
      {
        today: '2026-02-28',
        publish: ['2026-02-02 USD 1.00', '2026-02-27 USD 1.50'],
        is: '15000 at 1.5, 2026-02-27..2026-02-27, provisional',
        outcome: 'provisional',
      },
      { today: '2026-03-02', publish: ['2026-03-02 USD 9.00'], is: '12500 at 1.25, 2026-02-02..2026-02-27' },
    ],
  },
  {
    name: 'a period that starts on the last of a month and has no end is that day',
    row: { period_start: '2026-01-31', period_end: null },
    steps: [
      // A Saturday: the Friday before it.
      {
        today: '2026-02-02',
        publish: ['2026-01-29 USD 1.30', '2026-01-30 USD 1.10', '2026-02-02 USD 1.20'],
        is: '11000 at 1.1, 2026-01-30..2026-01-30',
      },
    ],
  },
  {
    name: 'a year end: the average takes no day of the next year',
    row: { period_start: '2025-12-01', period_end: '2025-12-31' },
    steps: [
      // (1.10 + 1.20) / 2
      {
        today: '2026-01-02',
        publish: ['2025-12-01 USD 1.10', '2025-12-31 USD 1.20', '2026-01-02 USD 2.00'],
        is: '11500 at 1.15, 2025-12-01..2025-12-31',
      },
    ],
  },
  {
    name: 'an undated cost has the rate of its booking day, by UTC, or of the last day before it',
    // Half past midnight in Berlin on the 8th is the 7th in UTC, a Saturday.
    row: { period_start: null, period_end: null, created_at: '2026-03-08 00:30+01' },
    steps: [
      {
        today: '2026-03-07',
        publish: ['2026-03-05 USD 1.30', '2026-03-06 USD 1.20'],
        is: '12000 at 1.2, 2026-03-06..2026-03-06, provisional',
        outcome: 'provisional',
      },
      { today: '2026-03-09', publish: ['2026-03-09 USD 1.40'], is: '12000 at 1.2, 2026-03-06..2026-03-06' },
    ],
  },
  {
    name: 'an undated cost is final once the rate of its booking day is out',
    row: { period_start: null, period_end: null, created_at: '2026-03-09 08:00Z' },
    steps: [
      {
        today: '2026-03-09',
        publish: ['2026-03-06 USD 1.20'],
        is: '12000 at 1.2, 2026-03-06..2026-03-06, provisional',
        outcome: 'provisional',
      },
      { today: '2026-03-09', publish: ['2026-03-09 USD 1.40'], is: '14000 at 1.4, 2026-03-09..2026-03-09' },
    ],
  },
  {
    name: 'a revised rate moves an open month, and one that is withdrawn makes its period incomplete again',
    row: { period_start: '2026-03-02', period_end: '2026-03-03' },
    steps: [
      {
        today: '2026-03-04',
        publish: ['2026-03-02 USD 1.10', '2026-03-03 USD 1.12'],
        is: '11100 at 1.11, 2026-03-02..2026-03-03',
      },
      // (1.10 + 1.14) / 2
      { today: '2026-03-04', publish: ['2026-03-03 USD 1.14'], is: '11200 at 1.12, 2026-03-02..2026-03-03' },
      {
        today: '2026-03-04',
        withdraw: '2026-03-03',
        is: '11000 at 1.1, 2026-03-02..2026-03-02, provisional',
        outcome: 'provisional',
      },
    ],
  },
];
