/** What currencies and amounts make of published rates, worked by hand: crosses, gaps, ends and rounding. */
import type { ConversionCase } from './conversion-case.ts';

/** Both days of it are published, so that a case need not say so. */
const TWO_DAYS = { period_start: '2026-03-02', period_end: '2026-03-03' };
const FLAT = ['2026-03-02 USD 1.10', '2026-03-03 USD 1.10'];
const FLAT_DAYS = '2026-03-02..2026-03-03';

export const CURRENCY_CASES: readonly ConversionCase[] = [
  {
    name: 'a dollar is a dollar',
    row: { currency: 'USD' },
    steps: [{ today: '2026-04-01', publish: FLAT, is: '10000 at no rate, ..', outcome: 'none' }],
  },
  {
    name: 'the euro is dollars per euro',
    row: TWO_DAYS,
    steps: [{ today: '2026-03-03', publish: FLAT, is: `11000 at 1.1, ${FLAT_DAYS}` }],
  },
  {
    name: 'another currency is crossed through the euro day by day, and then averaged',
    row: { ...TWO_DAYS, currency: 'GBP' },
    steps: [
      // 1.1 / 0.88 = 1.25 and 1.2 / 0.8 = 1.5: 1.375. The cross of the averages, 1.15 / 0.84 = 1.369…, is not meant.
      {
        today: '2026-03-03',
        publish: ['2026-03-02 USD 1.1', '2026-03-02 GBP 0.88', '2026-03-03 USD 1.2', '2026-03-03 GBP 0.8'],
        is: `13750 at 1.375, ${FLAT_DAYS}`,
      },
    ],
  },
  {
    name: 'a day counts only where dollars and the currency both have a rate',
    row: { currency: 'GBP' },
    steps: [
      // The 2nd lacks dollars and the 3rd pounds: 1.0 / 0.8 = 1.25 of the 4th alone, and 31 March is no GBP day.
      {
        today: '2026-03-31',
        publish: [
          '2026-03-02 GBP 0.5',
          '2026-03-03 USD 1.9',
          '2026-03-04 USD 1.0',
          '2026-03-04 GBP 0.8',
          '2026-03-31 USD 1.9',
        ],
        is: '12500 at 1.25, 2026-03-04..2026-03-04, provisional',
        outcome: 'provisional',
      },
    ],
  },
  {
    name: 'a currency without published rates never converts',
    row: { currency: 'KES' },
    steps: [{ today: '2026-04-01', publish: FLAT, is: 'nothing', outcome: 'no_published_rates' }],
  },
  {
    name: "a period wholly before the currency's first rate never converts",
    row: { ...TWO_DAYS, currency: 'CHF' },
    steps: [
      {
        today: '2026-03-04',
        publish: [...FLAT, '2026-03-04 USD 1.1', '2026-03-04 CHF 1.0'],
        is: 'nothing',
        outcome: 'before_first_rate',
      },
    ],
  },
  {
    name: "a period in which the currency's first rate falls has the average from there on",
    row: { period_start: '2026-03-02', period_end: '2026-03-04', currency: 'CHF' },
    steps: [
      // 1.2 / 1.0
      {
        today: '2026-03-04',
        publish: [...FLAT, '2026-03-04 USD 1.2', '2026-03-04 CHF 1.0'],
        is: '12000 at 1.2, 2026-03-04..2026-03-04',
      },
    ],
  },
  {
    name: 'a cost in a discontinued currency stays at its last rate, provisional for ever',
    row: { currency: 'BGN' },
    steps: [
      // 1.1 / 2.0 = 0.55
      {
        today: '2026-06-30',
        publish: ['2025-12-31 USD 1.1', '2025-12-31 BGN 2.0', '2026-03-31 USD 1.2', '2026-06-30 USD 1.2'],
        is: '5500 at 0.55, 2025-12-31..2025-12-31, provisional',
        outcome: 'provisional',
      },
    ],
  },
  {
    name: 'value in a discontinued currency waits',
    table: 'value_entries',
    row: { currency: 'BGN' },
    steps: [
      {
        today: '2026-06-30',
        publish: ['2025-12-31 USD 1.1', '2025-12-31 BGN 2.0', '2026-03-31 USD 1.2', '2026-06-30 USD 1.2'],
        is: 'nothing',
        outcome: 'waiting',
      },
    ],
  },
  // 1.1: 0.05 is 0.055 and 0.15 is 0.165, halves of a cent; 0.15 would stay 0.16 if halves went to the even.
  ...(
    [
      [5, 6],
      [15, 17],
      [-5, -6],
      [-15, -17],
      [4, 4],
      [0, 0],
      [-10_000, -11_000],
    ] as const
  ).map(([amount_cents, dollars]) => ({
    name: `${amount_cents} cents at 1.1 are ${dollars}: halves go away from zero, adjustments below it too`,
    row: { ...TWO_DAYS, amount_cents },
    steps: [{ today: '2026-03-03', publish: FLAT, is: `${dollars} at 1.1, ${FLAT_DAYS}` }],
  })),
  {
    name: 'a rate is rounded once, half away from zero, to ten decimals, and dollars are made of that rate',
    row: { ...TWO_DAYS, amount_cents: 10_000_000_000 },
    steps: [
      // (1.0000000000 + 1.0000000001) / 2 = 1.00000000005, so 1.0000000001; × 10^10 = 10000000001.
      {
        today: '2026-03-03',
        publish: ['2026-03-02 USD 1.0000000000', '2026-03-03 USD 1.0000000001'],
        is: `10000000001 at 1.0000000001, ${FLAT_DAYS}`,
      },
    ],
  },
  {
    name: 'an entry whose currency changed has the rate of the new one',
    row: TWO_DAYS,
    steps: [
      {
        today: '2026-03-03',
        publish: [...FLAT, '2026-03-02 GBP 0.88', '2026-03-03 GBP 0.88'],
        is: `11000 at 1.1, ${FLAT_DAYS}`,
      },
      // 1.1 / 0.88 = 1.25
      { today: '2026-03-03', change: { currency: 'GBP' }, is: `12500 at 1.25, ${FLAT_DAYS}` },
    ],
  },
  {
    name: 'an entry that would be more dollars than the ledger holds exactly stays empty',
    // 2^53 − 1 cents × 1.1
    row: { ...TWO_DAYS, amount_cents: 9_007_199_254_740_991n },
    steps: [{ today: '2026-03-03', publish: FLAT, is: 'nothing', outcome: 'too_large' }],
  },
  {
    name: 'below zero an entry that would be more dollars than the ledger holds exactly stays empty, too',
    row: { ...TWO_DAYS, amount_cents: -9_007_199_254_740_991n },
    steps: [{ today: '2026-03-03', publish: FLAT, is: 'nothing', outcome: 'too_large' }],
  },
  {
    name: 'an entry of just as many dollars as the ledger holds exactly has them',
    // 2^53 − 1 cents × 1
    row: { ...TWO_DAYS, amount_cents: 9_007_199_254_740_991n },
    steps: [
      {
        today: '2026-03-03',
        publish: ['2026-03-02 USD 1', '2026-03-03 USD 1'],
        is: `9007199254740991 at 1, ${FLAT_DAYS}`,
      },
    ],
  },
  {
    name: 'dollars are rounded before they are held to what the ledger holds exactly',
    // 7505999378950826 × 1.2 = 9007199254740991.2
    row: { ...TWO_DAYS, amount_cents: 7_505_999_378_950_826n },
    steps: [
      {
        today: '2026-03-03',
        publish: ['2026-03-02 USD 1.2', '2026-03-03 USD 1.2'],
        is: `9007199254740991 at 1.2, ${FLAT_DAYS}`,
      },
    ],
  },
  ...(
    [
      // 0.1 / 9,999,999,999 = 0.00000000001
      ['that is 0 to ten decimals', '0.1', '9999999999'],
      // 5 / 0.0000000005 = 10^10, one digit more than a rate has
      ['that has eleven digits before its point', '5', '0.0000000005'],
    ] as const
  ).map(([what, dollars, units]) => ({
    name: `a rate ${what} is no rate that an entry can have`,
    row: { ...TWO_DAYS, currency: 'GBP', amount_cents: 1 },
    steps: [
      {
        today: '2026-03-03',
        publish: FLAT.flatMap((line) => [
          line.replace('1.10', dollars),
          line.replace('USD 1.10', `GBP ${units}`),
        ]),
        is: 'nothing',
        outcome: 'too_large' as const,
      },
    ],
  })),
  ...(
    [
      ['value_entries', 'amount_cents'],
      ['provider_bills', 'amount_cents'],
      ['vendor_bills', 'amount_cents'],
      ['card_charges', 'amount_cents'],
      ['cost_entries', 'ai_amount_cents'],
      ['provider_bills', 'ai_amount_cents'],
      ['vendor_bills', 'ai_amount_cents'],
    ] as const
  ).map(([table, column]) => ({
    name: `${table} whose ${column} would be more dollars than the ledger holds exactly stays empty`,
    table,
    row: { [column]: 9_007_199_254_740_991n },
    steps: [
      {
        today: '2026-03-31',
        publish: [...FLAT, '2026-03-31 USD 1.10'],
        is: 'nothing',
        outcome: 'too_large' as const,
      },
    ],
  })),
  {
    name: 'a currency whose first rate is dated after today has no published rates',
    row: { currency: 'KES' },
    steps: [
      {
        today: '2026-04-01',
        publish: [...FLAT, '2026-04-02 USD 1.1', '2026-04-02 KES 150'],
        is: 'nothing',
        outcome: 'no_published_rates',
      },
    ],
  },
  {
    name: 'value without a period is said to have none, also in a currency without published rates',
    table: 'value_entries',
    row: { currency: 'KES', period_start: null, period_end: null },
    steps: [{ today: '2026-04-01', publish: FLAT, is: 'nothing', outcome: 'no_period' }],
  },
];
