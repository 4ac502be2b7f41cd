/** Rates by currency and deciding days: the cache of a conversion never gives one key the rate of another. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openKeyRates, type RateKey } from '../../../src/ledger/convert/key-rates.ts';
import { addCost, type Founded, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { type ConvertingLedger, openConversion, standing, writtenBy } from './conversion-harness.ts';

const TODAY = '2026-04-01';

let ledger: ConvertingLedger;
let home: Founded;
beforeAll(async () => {
  ledger = await openConversion();
  await ledger.publish(
    '2026-03-02 USD 1.10',
    '2026-03-03 USD 1.12',
    '2026-03-31 USD 1.20',
    '2026-03-02 GBP 0.88',
    '2026-03-03 GBP 0.80',
  );
});
afterAll(() => ledger.database.drop());
beforeEach(async () => {
  home = await foundAccount(ledger.owner);
});

/** Three costs of 100.00 whose keys agree in all but one part, and how each must stand. */
const COSTS = [
  // (1.10 + 1.12) / 2 = 1.11
  [
    { currency: 'EUR', period_start: '2026-03-02', period_end: '2026-03-03' },
    '11100 at 1.11, 2026-03-02..2026-03-03',
  ],
  // Another end: (1.10 + 1.12 + 1.20) / 3 = 1.14
  [
    { currency: 'EUR', period_start: '2026-03-02', period_end: '2026-03-31' },
    '11400 at 1.14, 2026-03-02..2026-03-31',
  ],
  // Another start: 1.12 alone.
  [
    { currency: 'EUR', period_start: '2026-03-03', period_end: '2026-03-03' },
    '11200 at 1.12, 2026-03-03..2026-03-03',
  ],
  // Another currency: (1.10 / 0.88 + 1.12 / 0.80) / 2 = (1.25 + 1.40) / 2 = 1.325
  [
    { currency: 'GBP', period_start: '2026-03-02', period_end: '2026-03-03' },
    '13250 at 1.325, 2026-03-02..2026-03-03',
  ],
] as const;

describe('costs whose periods start or end on one day', () => {
  it.each([
    ['in one batch', 100],
    ['in a batch each', 1],
  ])('are each converted by their own currency, start and end: %s', async (_, batchRows) => {
    const ids: bigint[] = [];
    for (const [row] of COSTS) {
      ids.push(await inAccount(ledger.owner, home.account, () => addCost(ledger.owner, home, row)));
    }
    const converted = await ledger.run(home.account, TODAY, { batchRows });
    expect(writtenBy(converted)).toBe(COSTS.length);
    const stood: string[] = [];
    for (const id of ids) stood.push(await standing(ledger.owner, 'cost_entries', id));
    expect(stood).toEqual(COSTS.map(([, stands]) => stands));
  });
});

it('an undated cost is converted by the UTC day of its booking, in any time zone of the session', async () => {
  const { owner } = ledger;
  // In Auckland it is the 3rd already, whose rate is 1.12.
  const booked = { currency: 'EUR', period_start: null, period_end: null, created_at: '2026-03-02 20:00Z' };
  const id = await inAccount(owner, home.account, () => addCost(owner, home, booked));
  await owner.query("set timezone = 'Pacific/Auckland'");
  await ledger.run(home.account, TODAY);
  await owner.query('reset timezone');
  expect(await standing(owner, 'cost_entries', id)).toBe('11000 at 1.1, 2026-03-02..2026-03-02');
});

it('the cache of rates asks the ledger once for each key, and gives rates in the order of the keys', async () => {
  const asked: unknown[] = [];
  const client = {
    query: (text: string, values: readonly unknown[]) => {
      asked.push(values[1]);
      return ledger.owner.query(text, [...values]);
    },
  } as unknown as typeof ledger.owner; // the one method that the cache calls
  const rates = openKeyRates(client, TODAY);
  const [first, second, third] = COSTS.map(
    ([{ currency, period_start: starts_on, period_end: ends_on }]): RateKey => ({
      currency,
      starts_on,
      ends_on,
    }),
  );
  if (first === undefined || second === undefined || third === undefined) throw new Error('three costs');
  const usdRates = async (keys: readonly RateKey[]) => (await rates.of(keys))[3]?.map(Number);
  expect(await usdRates([second, first])).toEqual([1.14, 1.11]);
  expect(await usdRates([first, third, second])).toEqual([1.11, 1.12, 1.14]);
  expect(await usdRates([third, first])).toEqual([1.12, 1.11]);
  // One query for the first two keys, one for the third, none for what is known.
  expect(asked).toEqual([['2026-03-02', '2026-03-02'], ['2026-03-03']]);
});
