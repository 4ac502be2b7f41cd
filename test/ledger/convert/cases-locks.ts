/**
 * What a lock does to conversion, worked by hand, for costs, value and bills. 100.00 euros of March 2026 throughout:
 * by the end of March the average is (1.10 + 1.20) / 2 = 1.15, and the latest rate before that is 1.10.
 */
import type { ConversionCase } from './conversion-case.ts';

const MARCH = '2026-03-01';
const BEGUN = ['2026-03-02 USD 1.10'];
const ENDED = ['2026-03-31 USD 1.20'];
const AVERAGE = '11500 at 1.15, 2026-03-02..2026-03-31';
const LATEST = '11000 at 1.1, 2026-03-02..2026-03-02, provisional';
/** With 1.20 revised to 1.30: (1.10 + 1.30) / 2. */
const REVISED = '12000 at 1.2, 2026-03-02..2026-03-31';

export const LOCK_CASES: readonly ConversionCase[] = [
  {
    name: 'a cost locked before conversion stays empty, until its month is reopened',
    row: {},
    steps: [
      {
        today: '2026-04-01',
        lock: MARCH,
        publish: [...BEGUN, ...ENDED],
        is: 'nothing',
        outcome: 'locked_without_rate',
      },
      { today: '2026-04-01', reopen: MARCH, is: AVERAGE },
      { today: '2026-04-01', lock: MARCH, is: AVERAGE },
    ],
  },
  {
    name: 'a cost locked in a currency without any rate waits for an import, and not for its month',
    row: { currency: 'KES' },
    steps: [
      {
        today: '2026-04-01',
        lock: MARCH,
        publish: [...BEGUN, ...ENDED],
        is: 'nothing',
        outcome: 'no_published_rates',
      },
    ],
  },
  {
    name: 'a cost locked while provisional stays provisional though its period completes, until reopened',
    row: {},
    steps: [
      { today: '2026-03-02', publish: BEGUN, is: LATEST, outcome: 'provisional' },
      { today: '2026-04-01', lock: MARCH, publish: ENDED, is: LATEST, outcome: 'locked_provisional' },
      { today: '2026-04-01', reopen: MARCH, is: AVERAGE },
    ],
  },
  {
    name: 'a converted cost does not move with a revised rate once its month is locked',
    row: {},
    steps: [
      { today: '2026-04-01', publish: [...BEGUN, ...ENDED], is: AVERAGE },
      { today: '2026-04-01', lock: MARCH, publish: ['2026-03-31 USD 1.30'], is: AVERAGE },
      { today: '2026-04-01', reopen: MARCH, is: REVISED },
    ],
  },
  {
    name: 'a period of several months is locked with its first, and not with another',
    row: { period_start: '2026-02-01', period_end: '2026-03-31' },
    steps: [
      { today: '2026-03-02', lock: MARCH, publish: BEGUN, is: LATEST, outcome: 'provisional' },
      { today: '2026-04-01', lock: '2026-02-01', publish: ENDED, is: LATEST, outcome: 'locked_provisional' },
    ],
  },
  {
    name: 'an undated cost is locked with the month of its booking day',
    row: { period_start: null, period_end: null, created_at: '2026-03-02 08:00Z' },
    steps: [
      { today: '2026-03-02', lock: MARCH, publish: BEGUN, is: 'nothing', outcome: 'locked_without_rate' },
    ],
  },
  {
    name: 'value is never provisional: it waits for its average',
    table: 'value_entries',
    row: {},
    steps: [
      { today: '2026-03-30', publish: BEGUN, is: 'nothing', outcome: 'waiting' },
      { today: '2026-03-31', publish: ENDED, is: AVERAGE },
      // An open month moves with a revision, as a cost does.
      { today: '2026-03-31', publish: ['2026-03-31 USD 1.30'], is: REVISED },
      { today: '2026-03-31', withdraw: '2026-03-31', is: 'nothing', outcome: 'waiting' },
    ],
  },
  {
    name: 'value without a period never converts',
    table: 'value_entries',
    row: { period_start: null, period_end: null },
    steps: [{ today: '2026-04-01', publish: [...BEGUN, ...ENDED], is: 'nothing', outcome: 'no_period' }],
  },
  {
    name: 'value approved in a month locked before its rates existed stays empty, until reopened',
    table: 'value_entries',
    row: {},
    steps: [
      { today: '2026-03-30', publish: BEGUN, lock: MARCH, is: 'nothing', outcome: 'locked_without_rate' },
      { today: '2026-04-01', publish: ENDED, is: 'nothing', outcome: 'locked_without_rate' },
      { today: '2026-04-01', reopen: MARCH, is: AVERAGE },
    ],
  },
  {
    name: 'approved value that has its average keeps it in a locked month',
    table: 'value_entries',
    row: {},
    steps: [
      { today: '2026-04-01', publish: [...BEGUN, ...ENDED], is: AVERAGE },
      { today: '2026-04-01', lock: MARCH, publish: ['2026-03-31 USD 1.30'], is: AVERAGE },
    ],
  },
  {
    name: 'unapproved value in a locked month is converted, and moves with a revision',
    table: 'value_entries',
    row: { status: 'reviewed' },
    steps: [
      { today: '2026-04-01', lock: MARCH, publish: [...BEGUN, ...ENDED], is: AVERAGE },
      { today: '2026-04-01', publish: ['2026-03-31 USD 1.30'], is: REVISED },
    ],
  },
  {
    name: 'value without an amount is given its rate, so that the amount has dollars when it comes',
    table: 'value_entries',
    row: { status: 'draft', amount_cents: null },
    steps: [
      {
        today: '2026-04-01',
        publish: [...BEGUN, ...ENDED],
        is: 'null at 1.15, 2026-03-02..2026-03-31',
      },
      { today: '2026-04-01', change: { amount_cents: 200 }, is: '230 at 1.15, 2026-03-02..2026-03-31' },
    ],
  },
  ...(['provider_bills', 'vendor_bills', 'card_charges'] as const).map((table) => ({
    name: `a lock does not freeze ${table}: they take the rate of their month as costs do`,
    table,
    row: {},
    steps: [
      { today: '2026-03-02', lock: MARCH, publish: BEGUN, is: LATEST, outcome: 'provisional' as const },
      { today: '2026-04-01', publish: ENDED, is: AVERAGE },
    ],
  })),
];
