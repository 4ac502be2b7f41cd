/** A comparison whose entries do not explain to the cent what a total moved by is refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cost } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';
import { add, addCents, come, dollars } from './moved-totals.ts';

let entries: EntryReasons;
beforeAll(async () => {
  entries = await openEntryReasons();
});
afterAll(() => entries[Symbol.asyncDispose]());

describe('a comparison is refused when all moved as its entries say, but', () => {
  const SUMS = {
    cash_value_cents: -900n,
    freed_capacity_cents: 40n,
    cost_cents: 570n,
    net_value_cents: -1_470n,
    capex_cents: 70n,
    opex_cents: 500n,
    vendor_price_effect_cents: 30n,
  } as const;

  it.each([
    ['initiative 3', 'cash_value_cents'],
    ['initiative 3', 'freed_capacity_cents'],
    ['initiative 3', 'cost_cents'],
    ['initiative 3', 'net_value_cents'],
    ['portfolio', 'cash_value_cents'],
    ['portfolio', 'freed_capacity_cents'],
    ['portfolio', 'cost_cents'],
    ['portfolio', 'net_value_cents'],
    ['portfolio', 'capex_cents'],
    ['portfolio', 'opex_cents'],
    ['portfolio', 'vendor_price_effect_cents'],
  ] as const)('of %s the %s stayed', async (whose, figure) => {
    const sum = SUMS[figure];
    const refused = entries.changes(
      () => undefined,
      (rows) => {
        come(rows);
        addCents(rows, whose === 'portfolio' ? 'portfolio all' : '3 all', { [figure]: -sum });
      },
    );
    await expect(refused).rejects.toMatchObject({
      code: 'diff_unexplained',
      message: `reported_totals ${whose} all ${figure}: it changed by 0 cents, but the reasons add up to ${sum} cents; no comparison is returned.`,
      data: { refused: 1 },
    });
  });

  it('one window of three stayed: the first refused figure is named, with the number of all', async () => {
    const refused = entries.changes(
      () => undefined,
      (rows) => {
        put(rows, 'costs', cost(91n, 1n, '2026-08-02', dollars(500n)));
        for (const total of [
          '1 all',
          '1 fy2027',
          'portfolio all',
          'portfolio fy2027',
          'portfolio fy2027-q2',
        ]) {
          add(rows, total, { opex: 500n });
        }
      },
    );
    await expect(refused).rejects.toMatchObject({
      code: 'diff_unexplained',
      data: { place: 'initiative 1 fy2027-q2 cost_cents', expected: '0', found: '500', refused: 2 },
    });
  });
});
