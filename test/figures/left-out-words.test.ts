/** Whole sentences about amounts without dollars. */
import { describe, expect, it } from 'vitest';
import type { LeftOutReason } from '../../src/figures/left-out-reasons.ts';
import {
  billSentences,
  dollarCause,
  dollarStanding,
  helpingCommands,
  leftOutLine,
  PUBLISHED_RATES,
  reasonSentences,
  reasonsOfBills,
  shownAmount,
  STANDING_WORDS,
} from '../../src/figures/left-out-words.ts';

const COST = { table: 'cost_entries', currency: 'EUR' } as const;
const reason = (name: LeftOutReason['reason'], more: Partial<LeftOutReason> = {}): LeftOutReason => ({
  ...COST,
  reason: name,
  entries: 1,
  amount_cents: 12_305,
  ...more,
});
/** Every reason with its standing, its cause and the words of its help. */
const REASONS = [
  ['not_converted', 'not converted yet', 'the stored rates cover the period', 'convert at the stored rates'],
  ['waiting', 'no rate yet', 'the stored rates do not cover the whole period', 'import published rates'],
  ['no_published_rates', 'no rate yet', 'no rate of the currency is stored', 'import published rates'],
  [
    'before_first_rate',
    'never converted',
    "the period is before the currency's first rate",
    'never converted',
  ],
  ['no_period', 'never converted', 'the value has no period', 'never converted'],
  [
    'locked_without_rate',
    'locked without a rate',
    'the month was locked before there was a rate',
    'reopen the month first',
  ],
  ['too_large', 'never converted', 'the ledger does not hold so many dollars exactly', 'never converted'],
] as const;

describe('an amount without dollars', () => {
  it.each(REASONS)('for the reason %s is %s, because %s: %s', (name, standing, because, help) => {
    const one = [reason(name)];
    expect([dollarStanding(one, COST), dollarCause(one, COST), reasonSentences(one)]).toEqual([
      standing,
      `${standing}: ${because}`,
      [`1 cost in EUR (EUR 123.05): ${help}, because ${because}.`],
    ]);
  });

  it('whose rates ended is never converted, although its reason is to wait', () => {
    expect(dollarCause([reason('waiting', { rates_ended: true })], COST)).toBe(
      'never converted: the published rates of the currency end before the period does',
    );
  });

  it('of several reasons has each with its amount, without those of another table or currency', () => {
    const reasons = [
      reason('waiting', { amount_cents: 700 }),
      reason('no_period', { table: 'value_entries' }),
      reason('not_converted', { currency: 'SEK' }),
      reason('locked_without_rate', { amount_cents: undefined }),
      reason('too_large', { amount_cents: -100_000 }),
    ];
    expect(dollarCause(reasons, COST)).toBe(
      [
        'EUR 7.00 no rate yet: the stored rates do not cover the whole period',
        'locked without a rate: the month was locked before there was a rate',
        'EUR −1,000.00 never converted: the ledger does not hold so many dollars exactly',
      ].join('; '),
    );
    expect(dollarStanding(reasons, COST)).toBe('no rate yet, locked without a rate or never converted');
    expect(dollarCause(reasons, { table: 'cost_entries', currency: 'CHF' })).toBe('no dollar figure');
    expect(dollarCause(undefined, COST)).toBe('no dollar figure');
  });

  it('of capacity has the amount of the capacity', () => {
    const value = { table: 'value_entries' } as const;
    const reasons = ['waiting', 'no_period'].map((name) =>
      reason(name as LeftOutReason['reason'], {
        ...value,
        entries: 3,
        amount_cents: 500,
        capacity_entries: 2,
        capacity_amount_cents: 90,
      }),
    );
    const told = (is_capacity: boolean) => dollarCause(reasons, { ...COST, ...value, is_capacity });
    expect(told(true)).toMatch(/^EUR 0\.90 no rate yet: .*; EUR 0\.90 never converted: /);
    expect(told(false)).toMatch(/^EUR 5\.00 no rate yet: .*; EUR 5\.00 never converted: /);
  });

  it('of a card is not in dollars, with the cause that no rate helps', () => {
    const card = { table: 'card_charges', currency: 'EUR' } as const;
    expect([dollarStanding([reason('waiting', card)], card), dollarCause(undefined, card)]).toEqual([
      'not in dollars',
      'not in dollars: a card charge counts only in US dollars',
    ]);
  });
});

it('the words in the place of dollars are those of each help, and those of a record without reasons', () => {
  expect(STANDING_WORDS).toEqual([
    'not converted yet',
    'no rate yet',
    'locked without a rate',
    'never converted',
    'no dollar figure',
  ]);
});

describe('the sentences about reasons', () => {
  it('join currencies of one table and cause in the order of their codes, and count their entries', () => {
    const reasons = [
      reason('waiting', { currency: 'SEK', entries: 1_200, amount_cents: 100 }),
      reason('waiting', { table: 'vendor_bills', currency: 'CHF', entries: 2, amount_cents: 5 }),
      reason('waiting', { currency: 'CHF', entries: 1, amount_cents: 200 }),
      reason('waiting', { currency: 'BGN', rates_ended: true }),
    ];
    expect(reasonSentences(reasons)).toEqual([
      '1,201 costs in CHF and SEK (CHF 2.00, SEK 1.00): import published rates, because the stored rates do not cover the whole period.',
      "2 vendors' bills in CHF (CHF 0.05): import published rates, because the stored rates do not cover the whole period.",
      '1 cost in BGN (BGN 123.05): never converted, because the published rates of the currency end before the period does.',
    ]);
  });

  it('leave all amounts out if one is too large, and say of capacity alone no cash', () => {
    const reasons = [reason('waiting'), reason('waiting', { currency: 'SEK', amount_cents: undefined })];
    expect(reasonSentences(reasons)).toEqual([
      '2 costs in EUR and SEK: import published rates, because the stored rates do not cover the whole period.',
    ]);
    const capacity = { capacity_entries: 1, capacity_amount_cents: 60, amount_cents: 0 };
    expect(reasonSentences([reason('no_period', { table: 'value_entries', ...capacity })])).toEqual([
      '1 approved value in EUR (EUR 0.60 of capacity): never converted, because the value has no period.',
    ]);
    expect(reasonSentences()).toEqual([]);
  });
});

const bill = (
  table: 'provider_bills' | 'vendor_bills' | 'card_charges',
  currency: string,
  entries: number,
) => ({
  table,
  currency,
  entries,
  amount_cents: 1e3 * entries,
});

it('bills that AI spend leaves out have a sentence for each table: providers, vendors, cards', () => {
  expect(
    billSentences([
      bill('card_charges', 'EUR', 2),
      bill('vendor_bills', 'EUR', 1),
      bill('provider_bills', 'CHF', 1),
      bill('provider_bills', 'EUR', 1),
    ]),
  ).toEqual([
    "2 providers' bills in CHF and EUR (CHF 10.00, EUR 10.00) have no dollar figure and are in no dollar total of AI spend.",
    "1 vendor's bill in EUR (EUR 10.00) has no dollar figure and is in no dollar total of AI spend.",
    '2 card charges in EUR (EUR 20.00) are not in dollars and in no dollar total of AI spend.',
  ]);
  expect(billSentences()).toEqual([]);
});

it('the reasons of bills are those of providers and vendors, not of cards', () => {
  const tables = ['cost_entries', 'provider_bills', 'value_entries', 'card_charges', 'vendor_bills'] as const;
  expect(
    reasonsOfBills(tables.map((table) => reason('waiting', { table }))).map(({ table }) => table),
  ).toEqual(['provider_bills', 'vendor_bills']);
});

it('commands are named that help: both for an import, the second for stored rates, none for the others', () => {
  const both = [`npx --no crossfoot rates import ${PUBLISHED_RATES}`, 'npx --no crossfoot rates convert'];
  const none: readonly string[] = [];
  expect(REASONS.map(([name]) => helpingCommands([reason(name)]))).toEqual([
    [both[1]],
    both,
    both,
    none,
    none,
    none,
    none,
  ]);
  expect([helpingCommands(undefined), helpingCommands([])]).toEqual([both, none]);
});

it('one line counts capacity, bills and both helps, and says since when', () => {
  const value = [
    { currency: 'SEK', amount_cents: 0, entries: 0, capacity_amount_cents: 5, capacity_entries: 2 },
  ];
  const bills = [{ table: 'vendor_bills', currency: 'CHF', amount_cents: 5, entries: 1_000 }] as const;
  const reasons = [
    reason('waiting', { entries: 3 }),
    reason('not_converted', { entries: 1 }),
    reason('no_period'),
  ];
  expect(leftOutLine({ cost: [], value, bills: [...bills], reasons }, 'since 2 July; ')).toBe(
    '1,002 amounts in CHF and SEK are in no total, 3 of them until rates are imported, 1 of them until rates convert runs; since 2 July; npx --no crossfoot status --amounts shows why',
  );
});

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '−0.05'],
  [100, '1.00'],
  [123_456_789, '1,234,567.89'],
  [-99_999, '−999.99'],
])('%i cents are shown as %s', (cents, shown) => {
  expect(shownAmount(cents)).toBe(shown);
});
