/** The amounts that a manifest says are in no total, held to the rows without a dollar figure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeftOutAmounts } from '../../../src/figures/left-out.ts';
import { type Offence, sentenceOf } from '../../../src/snapshot/audit/report.ts';
import { type Company, company, row, SNAPSHOT } from './audited-company.ts';
import { AuditBench } from './audited-files.ts';

const CHECK = '49-check-left-out';
const { left_out } = SNAPSHOT;
const EUROS = left_out.value.slice(0, 1);

let bench: AuditBench;
beforeAll(async () => {
  bench = await AuditBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** What the check finds wrong with the rows and such a manifest. */
async function offences(
  stated: LeftOutAmounts | null,
  rows: Company = company(),
): Promise<readonly Offence[]> {
  const job = { snapshot: { ...SNAPSHOT, left_out: stated } };
  const { checks } = await bench.audit(rows, { only: [CHECK], job });
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
