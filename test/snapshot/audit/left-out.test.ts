/** The amounts that a manifest says are in no total, held to the rows without a dollar figure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeftOutAmounts } from '../../../src/figures/left-out.ts';
import { type Offence, sentenceOf } from '../../../src/snapshot/audit/report.ts';
import { type Company, company, row, SNAPSHOT } from './audited-company.ts';
import { controlOf, type ControlTotals } from './audited-control.ts';
import { AuditBench, chosen, readChecks } from './audited-files.ts';

const CHECK = '49-check-left-out';
const { left_out } = SNAPSHOT;
const EUROS = left_out.value.slice(0, 1);

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** What the check finds wrong with the rows, the control totals and such a manifest. */
async function offences(
  stated: LeftOutAmounts | null,
  rows: Company = company(),
  control: ControlTotals = controlOf(rows),
): Promise<readonly Offence[]> {
  const job = { snapshot: { ...SNAPSHOT, left_out: stated } };
  const { checks } = await bench.audit(rows, { only: [CHECK], job, control });
  expect(checks.map(({ name }) => name)).toEqual(['00-bytes', CHECK]);
  return checks.flatMap((check) => check.offences);
}

const WHY = 'the manifest leaves out what the files have without dollars';

describe('a manifest', () => {
  it('that leaves out what the files leave out passes', async () => {
    expect(await offences(left_out)).toEqual([]);
  });

  it('that states a currency twice is refused, with both together', async () => {
    expect((await offences({ cost: [], value: [...EUROS, ...EUROS] })).map(sentenceOf)).toEqual([
      `reported_value left_out EUR: amount_cents is 1400 cents, expected 700 cents: ${WHY}`,
      `reported_value left_out EUR: entries is 2, expected 1: ${WHY}`,
    ]);
  });

  it('that says nothing is left out is refused, with the currency and its figures', async () => {
    expect((await offences({ cost: [], value: [] })).map(sentenceOf)).toEqual([
      `reported_value left_out EUR: amount_cents is empty, expected 700 cents: ${WHY}`,
      `reported_value left_out EUR: capacity_amount_cents is empty, expected 0 cents: ${WHY}`,
      `reported_value left_out EUR: capacity_entries is empty, expected 0: ${WHY}`,
      `reported_value left_out EUR: entries is empty, expected 1: ${WHY}`,
    ]);
  });

  it.each([
    ['another amount', { amount_cents: 701 }, 'amount_cents is 701 cents, expected 700 cents'],
    ['another count', { entries: 2 }, 'entries is 2, expected 1'],
    [
      'capacity that is none',
      { capacity_amount_cents: 1 },
      'capacity_amount_cents is 1 cents, expected 0 cents',
    ],
    ['entries of such capacity', { capacity_entries: 1 }, 'capacity_entries is 1, expected 0'],
  ])('with %s is refused', async (_, change, told) => {
    const value = EUROS.map((each) => ({ ...each, ...change }));
    expect((await offences({ cost: [], value })).map(sentenceOf)).toEqual([
      `reported_value left_out EUR: ${told}: ${WHY}`,
    ]);
  });

  it('with a currency that the files do not leave out is refused', async () => {
    const cost = [{ currency: 'CHF', amount_cents: 0, entries: 0 }];
    expect(
      (await offences({ ...left_out, cost })).map(({ place, subject }) => `${subject} ${place}`),
    ).toEqual(Array.from({ length: 4 }, () => 'costs left_out CHF'));
  });

  it('of an older program, without amounts left out, is not checked for them', async () => {
    expect(await offences(null)).toEqual([]);
  });
});

/**
 * Bills as a ledger would have them: vendor 82 was merged into 81, which is flagged as AI, and vendor 84 is not. So of vendors'
 * bills in KES 7.00 and 5.00 are left out, and not the 3.00.
 */
const LEDGER_BILLS = [
  { bills: 'card_charges', vendor_id: '81', currency: 'EUR', rows: '1', amount_cents: '300' },
  { bills: 'card_charges', vendor_id: '84', currency: 'EUR', rows: '4', amount_cents: '100' },
  { bills: 'provider_bills', vendor_id: null, currency: 'KES', rows: '2', amount_cents: '900' },
  { bills: 'vendor_bills', vendor_id: '81', currency: 'KES', rows: '1', amount_cents: '700' },
  { bills: 'vendor_bills', vendor_id: '82', currency: 'KES', rows: '2', amount_cents: '500' },
  { bills: 'vendor_bills', vendor_id: '84', currency: 'KES', rows: '1', amount_cents: '300' },
];
const BILLS: NonNullable<LeftOutAmounts['bills']> = [
  { table: 'card_charges', currency: 'EUR', amount_cents: 300, entries: 1 },
  { table: 'provider_bills', currency: 'KES', amount_cents: 900, entries: 2 },
  { table: 'vendor_bills', currency: 'KES', amount_cents: 1_200, entries: 3 },
];
const WHY_BILLS = 'the manifest leaves out the bills that no row of ai_spend has';

const withBills = (bills?: LeftOutAmounts['bills']): Promise<readonly Offence[]> =>
  offences({ ...left_out, bills }, company(), { ...controlOf(company()), left_out_bills: LEDGER_BILLS });

const subjects = (found: readonly Offence[]): readonly string[] => [
  ...new Set(found.map(({ subject }) => subject)),
];

describe('the bills of a manifest', () => {
  it('pass as the ledger has them, of vendors flagged as AI and of vendors merged into one', async () => {
    expect(await withBills(BILLS)).toEqual([]);
  });

  it.each([
    ['another amount', { amount_cents: 1_500 }, 'amount_cents is 1500 cents, expected 1200 cents'],
    ['another number', { entries: 4 }, 'entries is 4, expected 3'],
  ])('are refused with %s', async (_, change, told) => {
    const bills = BILLS.map((each) => (each.table === 'vendor_bills' ? { ...each, ...change } : each));
    expect((await withBills(bills)).map(sentenceOf)).toEqual([
      `vendor_bills left_out KES: ${told}: ${WHY_BILLS}`,
    ]);
  });

  it('are not compared by an older program, which knows none', async () => {
    const rows = company();
    const control = { ...controlOf(rows), left_out_bills: LEDGER_BILLS };
    // It sets the variable of the other amounts alone.
    const older = { name: '48-view-older-program', sql: 'reset variable left_out_bills;' };
    const job = { checks: [...chosen(await readChecks(), [CHECK]), older] };
    const { checks } = await bench.audit(rows, { job, control });
    expect(checks.flatMap((check) => check.offences)).toEqual([]);
  });

  it('are refused where the manifest does not name them, and where the ledger has none', async () => {
    expect(subjects(await withBills())).toEqual(BILLS.map(({ table }) => table));
    expect(subjects(await offences({ ...left_out, bills: BILLS }))).toEqual(BILLS.map(({ table }) => table));
  });
});

describe('a file', () => {
  it('with a cost that lost its dollars is refused by a manifest that does not say so', async () => {
    const rows = company();
    const [cost = {}] = rows['costs'] ?? [];
    Object.assign(cost, { currency: 'KES', amount_cents: 90n, usd_amount_cents: null });
    expect((await offences(left_out, rows)).map(sentenceOf)[0]).toBe(
      `costs left_out KES: amount_cents is empty, expected 90 cents: ${WHY}`,
    );
    const kes = { currency: 'KES', amount_cents: 90, entries: 1 };
    expect(await offences({ ...left_out, cost: [kes] }, rows)).toEqual([]);
  });

  it('keeps cash value and capacity without dollars apart', async () => {
    const rows = company();
    Object.assign(row(rows, 'reported_value', 16n), { entry_type: 'capacity' });
    const value = [
      { currency: 'EUR', amount_cents: 0, entries: 0, capacity_amount_cents: 700, capacity_entries: 1 },
    ];
    expect(await offences({ cost: [], value }, rows)).toEqual([]);
  });
});
