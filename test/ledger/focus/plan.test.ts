import { describe, expect, it } from 'vitest';
import { type Bill, type Initiative, type Part, billRef } from '../../../src/ledger/focus/charge.ts';
import type { FocusLedger } from '../../../src/ledger/focus/ledger-state.ts';
import { planRows } from '../../../src/ledger/focus/plan.ts';
import { inCents } from '../../../src/ledger/focus/bill-cents.ts';
import type { FocusSums } from '../../../src/ledger/focus/read-files.ts';
import { tieLines } from '../../../src/ledger/focus/tie.ts';
import { UNITS_PER_CENT } from '../../../src/ledger/focus/decimals.ts';

const EMPTY: FocusLedger = {
  others: [],
  initiatives: new Map([['Invoices', [1n]]]),
  titles: new Map([[1n, 'Invoices']]),
  locked: new Set(),
  entries: [],
  bills: new Map(),
  links: new Map(),
};
const INVOICES: Initiative = { title: 'Invoices', cost_type: null, by: 'tag' };

const part = (claim: Initiative | null, other: bigint): Part<bigint> => ({
  claim,
  ai: 0n,
  other,
  charges: 1,
});

/** A bill of October in cents, by what `Invoices` claims of it and what is left unclaimed. */
function bill(claimed: bigint, unclaimed: bigint, currency = 'USD', month = '2026-10'): Bill<bigint> {
  return {
    provider: 'Nimbus',
    billingAccount: 'acc-1',
    billingAccountName: 'Main',
    month,
    currency,
    origin: { file: 'bill.csv', line: 2, provider: 'ProviderName' },
    total: claimed + unclaimed,
    parts: new Map([
      ['claimed', part(INVOICES, claimed)],
      ['', part(null, unclaimed)],
    ]),
  };
}

function sumsOf(totals: Readonly<Record<string, bigint>>): FocusSums {
  return {
    versions: new Map([['bill.csv', '1.2']]),
    notes: [],
    bills: new Map(),
    totals: new Map(Object.entries(totals)),
    exports: new Map(),
    files: new Map(),
  };
}

describe('a bill that the new export has in another currency', () => {
  const euro = bill(5_000n, 2_000n, 'EUR');
  const november = bill(100n, 0n, 'EUR', '2026-11');
  const entry = {
    id: 7n,
    ref: JSON.stringify([billRef(euro), '1', null]),
    bill_ref: billRef(euro),
    initiative_id: 1n,
    cost_type: null,
    booked: '2026-10',
    amount_cents: 5_000n,
    ai_amount_cents: 0n,
  };
  const ledger: FocusLedger = {
    ...EMPTY,
    entries: [entry],
    bills: new Map([
      [billRef(euro), 7_000n],
      [billRef(november), 100n],
    ]),
  };
  const dollars = bill(6_000n, 0n);

  const told = (bills: readonly Bill<bigint>[]): readonly string[] =>
    tieLines({ sums: sumsOf({}), unmatched: [], bills, plan: planRows(bills, ledger), ledger }).slice(1);

  it('is zero from then on, and its costs are deleted; bills of other months stay', () => {
    const plan = planRows([dollars], ledger);
    expect(plan.bills.map(({ currency, month, total }) => [currency, month, total])).toEqual([
      ['USD', '2026-10', 6_000n],
      ['EUR', '2026-10', 0n],
    ]);
    expect(plan.replaced).toEqual([7n]);
    expect(plan.entries.map(({ bill: { currency }, amount }) => [currency, amount])).toEqual([
      ['USD', 6_000n],
    ]);
  });

  it('has its costs of a locked month corrected to zero', () => {
    const plan = planRows([dollars], { ...ledger, locked: new Set(['2026-10']) });
    expect(plan.replaced).toEqual([]);
    expect(plan.entries.map(({ bill: { currency }, amount, month }) => [currency, amount, month])).toEqual([
      ['USD', 6_000n, '2026-11'],
      ['EUR', -5_000n, '2026-11'],
    ]);
  });

  it('is reported with its amounts, like every bill of another amount, and no bill of an equal amount', () => {
    expect(told([dollars])).toEqual(['Nimbus Main with 0.00 EUR replaces 70.00 EUR of 2026-10']);
    expect(told([bill(3_000n, 0n, 'EUR')])).toEqual([
      'Nimbus Main with 30.00 EUR replaces 70.00 EUR of 2026-10',
    ]);
    expect(told([euro])).toEqual([]);
    expect(told([november])).toEqual([]);
  });
});

describe('the share of an initiative', () => {
  it.each([
    ['all of a bill that a credit of no initiative lessens', 10_000n, -5_000n, '1.00000000'],
    ['all of a bill that credits lessen to zero', 10_000n, -10_000n, '1.00000000'],
    ['all of a bill that credits lessen below zero', 10_000n, -10_001n, '1.00000000'],
    ['all of a bill to the cent', 10_000n, 0n, '1.00000000'],
    ['rounded down', 1n, 2n, '0.33333333'],
    ['five in a hundred', 500n, 9_500n, '0.05000000'],
    ['none of a bill that it has a credit of', -1n, 2n, null],
  ])('is %s', (_name, claimed, unclaimed, share) => {
    const { shares } = planRows([bill(claimed, unclaimed)], EMPTY);
    expect(shares.map((each) => each.share)).toEqual(share === null ? [] : [share]);
  });
});

describe('the shares of several initiatives', () => {
  const ledger: FocusLedger = {
    ...EMPTY,
    initiatives: new Map([
      ['Invoices', [1n]],
      ['Support', [2n]],
    ]),
  };
  const SUPPORT: Initiative = { title: 'Support', cost_type: null, by: 'tag' };
  const billOf = (invoices: bigint, support: bigint, unclaimed: bigint): Bill<bigint> => ({
    ...bill(invoices, unclaimed),
    total: invoices + support + unclaimed,
    parts: new Map([
      ['invoices', part(INVOICES, invoices)],
      ['support', part(SUPPORT, support)],
      ['', part(null, unclaimed)],
    ]),
  });

  it.each([
    ['80.00 and 80.00 of 100.00, beside a credit', 8_000n, 8_000n, -6_000n, ['0.50000000', '0.50000000']],
    ['80.00 and 40.00 of 0.00, beside a credit', 8_000n, 4_000n, -12_000n, ['0.66666666', '0.33333333']],
    ['80.00 and 40.00 of a bill below zero', 8_000n, 4_000n, -12_001n, ['0.66666666', '0.33333333']],
    ['80.00 and 20.00 of 100.00, without a credit', 8_000n, 2_000n, 0n, ['0.80000000', '0.20000000']],
    ['60.00 and 20.00 of 100.00, with a rest', 6_000n, 2_000n, 2_000n, ['0.60000000', '0.20000000']],
    ['90.00 and a credit of 20.00 of 70.00', 9_000n, -2_000n, 0n, ['1.00000000']],
  ])('of %s never add up to more than the bill', (_name, invoices, support, unclaimed, expected) => {
    const shares = planRows([billOf(invoices, support, unclaimed)], ledger).shares.map(({ share }) => share);
    expect(shares).toEqual(expected);
    const sum = shares.reduce((all, share) => all + BigInt(share.replace('.', '')), 0n);
    expect(sum <= 100_000_000n).toBe(true);
  });
});

it('a new bill of an open month replaces every earlier entry of the bill, credits too', () => {
  const own = bill(0n, 2_000n);
  const entry = { bill_ref: billRef(own), initiative_id: 1n, cost_type: null, booked: '2026-10' };
  const entries = [
    { ...entry, id: 7n, ref: 'cost', amount_cents: 300n, ai_amount_cents: 0n },
    { ...entry, id: 8n, ref: 'credit', amount_cents: -100n, ai_amount_cents: 0n },
  ];
  expect(planRows([own], { ...EMPTY, entries }).replaced).toEqual([7n, 8n]);
});

it('a tag with the title of several initiatives claims nothing', () => {
  const initiatives = new Map([['Invoices', [1n, 2n]]]);
  expect(planRows([bill(100n, 0n)], { ...EMPTY, initiatives })).toMatchObject({ entries: [], shares: [] });
});

it('the bills of a month and currency add up to their total, which is rounded once', () => {
  // 0.0070 + 0.0055 + 0.0060 + 0.0070 = 0.0255: three cents, of which the least remainder gets none.
  const units = { a: 70n, b: 55n, c: 60n, d: 70n };
  const bills = Object.entries(units).map(([billingAccount, part_of_cent]) => ({
    ...bill(0n, (part_of_cent * UNITS_PER_CENT) / 100n),
    billingAccount,
  }));
  const sums = {
    ...sumsOf({ '2026-10 USD': (255n * UNITS_PER_CENT) / 100n }),
    bills: new Map(bills.map((each) => [billRef(each), each])),
  };
  expect(inCents(sums).map(({ billingAccount, total }) => [billingAccount, total])).toEqual([
    ['a', 1n],
    ['b', 0n],
    ['c', 1n],
    ['d', 1n],
  ]);
});

const tagged = (names: readonly string[]): Bill<bigint> => ({
  ...bill(0n, 0n),
  parts: new Map(names.map((title) => [title, part({ title, cost_type: null, by: 'tag' }, 1n)])),
});

const last = (names: readonly string[]): string | undefined => {
  const bills = [tagged(names)];
  return tieLines({
    sums: sumsOf({}),
    unmatched: [],
    bills,
    plan: planRows(bills, EMPTY),
    ledger: EMPTY,
  }).at(-1);
};

describe('the line that ties a load with its files', () => {
  it.each([
    ['10.004', 10_004n, '10.00'],
    ['10.005', 10_005n, '10.01'],
    ['10.006', 10_006n, '10.01'],
    ['-10.005', -10_005n, '-10.01'],
  ])('states the total %s rounded once, half a cent away from zero', (exact, thousandths, rounded) => {
    const total = (thousandths * UNITS_PER_CENT) / 10n;
    const own = bill(0n, total);
    const sums = { ...sumsOf({ '2026-10 USD': total }), bills: new Map([[billRef(own), own]]) };
    const bills = inCents(sums);
    const [, line] = tieLines({ sums, unmatched: [], bills, plan: planRows(bills, EMPTY), ledger: EMPTY });
    expect(line).toBe(
      `2026-10 USD: 2 charges, ${rounded} billed: 0.00 claimed and ${rounded} unclaimed; the files' own total is ${exact}, rounded ${rounded}`,
    );
  });

  it('is followed by the first five tags that name no initiative', () => {
    const tags = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(last(tags)).toBe('Tags that name no initiative, or several: "a", "b", "c", "d", "e", …');
    expect(last(tags.slice(1))).toBe('Tags that name no initiative, or several: "b", "c", "d", "e", "f"');
  });

  it('is followed by the rules of the mapping that match no charge', () => {
    const unmatched = ['rule 2 (BillingAccountId: 7)'];
    const lines = tieLines({
      sums: sumsOf({}),
      unmatched,
      bills: [],
      plan: planRows([], EMPTY),
      ledger: EMPTY,
    });
    expect(lines.at(-1)).toBe('Rules of the mapping that match no charge: rule 2 (BillingAccountId: 7)');
  });
});
