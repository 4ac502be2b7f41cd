/** What an entry counts for, worked by hand: in which month, at which rate, across which floor, under which calendar. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at, cost, type MutableRow, total, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';
import {
  add,
  addAll,
  brought,
  capacity,
  capex,
  dollars,
  edit,
  edited,
  effectsOf,
  NOTHING,
  spent,
  split,
  totalOf,
} from './moved-totals.ts';

let entries: EntryReasons;
beforeAll(async () => {
  entries = await openEntryReasons();
});
afterAll(() => entries[Symbol.asyncDispose]());

/** Without a dollar figure for want of a rate. */
const waiting = (given: MutableRow): MutableRow => ({
  currency: 'EUR',
  amount_cents: 40n,
  usd_amount_cents: null,
  ...given,
});
/** Of initiative 2, without a day. */
const undated = (id: bigint, given: MutableRow) => value(id, 2n, null, given);
/** What an undated entry brings to freed capacity. */
const freed = (initiative_id: number, cents: number) => [
  { initiative_id, month: null, ...NOTHING, freed_capacity_cents: cents },
];
/** What another calendar moved. */
const moved = (cents: number) => [{ reason: 'fiscal_year_moved', cents, entries: 0 }];

it('an entry that runs into another quarter counts in the month in which it begins', async () => {
  const changes = await entries.changes(
    () => undefined,
    (rows) => {
      const through = { period_end: at('2026-07-31') };
      put(rows, 'costs', cost(91n, 1n, '2026-06-15', { ...dollars(500n), ...through }));
      put(rows, 'reported_value', value(92n, 1n, '2026-06-15', { ...dollars(900n), ...through }));
      for (const window of ['all', 'fy2027', 'fy2027-q1']) {
        for (const whose of ['1', 'portfolio']) add(rows, `${whose} ${window}`, { cash: 900n, opex: 500n });
      }
    },
  );
  const june = { initiative_id: 1, month: '2026-06-01', ...NOTHING };
  expect(effectsOf(changes, '91')).toEqual([{ ...june, opex_cents: 500 }]);
  expect(effectsOf(changes, '92')).toEqual([{ ...june, cash_value_cents: 900 }]);
});

it('an entry that left a month for another, and costs more there, counts once for all time', async () => {
  const windows = ['all', 'fy2027', 'fy2027-q2'].flatMap((window) => [`1 ${window}`, `portfolio ${window}`]);
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'costs', cost(91n, 1n, '2026-09-02', dollars(500n)));
      for (const window of windows) add(rows, window, { opex: 500n });
    },
    (rows) => {
      const august = { period_start: at('2026-08-02'), period_month: '2026-08-01' };
      edit(rows, 'costs', { 91: { ...dollars(700n), ...august } });
      for (const window of windows) add(rows, window, { opex: 200n });
    },
  );
  // The company had costs of 48,913 in initiative 1 and of 49,613 in all.
  expect(totalOf(changes, 1)?.moved[0]).toEqual(edited('cost_cents', 49_413, 200, 1));
  expect(totalOf(changes, null)?.moved[0]).toEqual(edited('cost_cents', 50_113, 200, 1));
});

const day = (year: number, month: number) => `${year}-${String(month).padStart(2, '0')}-02`;

it('what an entry left and came to is listed by month, whichever was first', async () => {
  // Within one quarter each, so that no total moves.
  const quarters = [1, 4, 7, 10].flatMap((month) => [2024, 2025].map((year) => [year, month] as const));
  const changes = await entries.changes(
    (rows) => {
      for (const [index, [year, month]] of quarters.entries()) {
        put(rows, 'costs', cost(BigInt(101 + index), 1n, day(year, month), dollars(500n)));
        put(rows, 'costs', cost(BigInt(201 + index), 1n, day(year, month + 2), dollars(500n)));
      }
    },
    (rows) => {
      for (const [index, [year, month]] of quarters.entries()) {
        edit(rows, 'costs', { [101 + index]: { period_start: at(day(year, month + 2)) } });
        edit(rows, 'costs', { [201 + index]: { period_start: at(day(year, month)) } });
      }
    },
  );
  const listed = (id: number) =>
    effectsOf(changes, String(id))?.map(({ month, opex_cents }) => [month?.slice(0, 7), opex_cents]);
  for (const [index, [year, month]] of quarters.entries()) {
    const [first, last] = [day(year, month).slice(0, 7), day(year, month + 2).slice(0, 7)];
    expect(listed(101 + index)).toEqual([
      [first, -500],
      [last, 500],
    ]);
    expect(listed(201 + index)).toEqual([
      [first, 500],
      [last, -500],
    ]);
  }
});

it('an entry of any kind adds nothing to the totals while it waits for a rate', async () => {
  const realized = { entry_type: 'capacity_realized' };
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'reported_value', brought(91n, capacity(100n)));
      put(rows, 'reported_value', brought(92n, waiting({ entry_type: 'capacity' })));
      put(rows, 'reported_value', brought(93n, waiting(realized)), brought(94n, waiting(split(8n))));
      put(rows, 'costs', spent(95n, waiting({ cost_category: 'capex' })), spent(96n, waiting({})));
      addAll(rows, { freed: 100n });
    },
    (rows) => {
      const more = { amount_cents: 60n };
      edit(rows, 'reported_value', { 91: dollars(105n), 92: more, 93: more, 94: { ...more, ...split(9n) } });
      edit(rows, 'costs', { 95: more, 96: more });
      addAll(rows, { freed: 5n });
    },
  );
  expect(totalOf(changes, null)?.moved).toEqual([edited('freed_capacity_cents', 3_100, 5, 1)]);
  for (const id of ['92', '93', '94', '95', '96']) expect(effectsOf(changes, id)).toEqual([]);
});

it('an effect of prices is converted at the rate of its entry, exactly, half a cent away from zero', async () => {
  // The effect, the rate, and what that is in dollars.
  const cases = [
    [3n, 0.5, 2], // 1.5
    [-3n, 0.5, -2],
    [5n, 0.5, 3], // 2.5
    [100n, 1.015, 102], // 101.5, which is a little less in doubles
    [10_000_000_000n, 1.000_000_000_1, 10_000_000_001],
  ] as const;
  const changes = await entries.changes(
    (rows) => {
      for (const [index, [, usd_rate]] of cases.entries()) {
        put(rows, 'reported_value', brought(BigInt(91 + index), { currency: 'EUR', usd_rate, ...split(0n) }));
      }
    },
    (rows) => {
      for (const [index, [effect]] of cases.entries())
        edit(rows, 'reported_value', { [91 + index]: split(effect) });
      addAll(rows, { effect: 10_000_000_106n });
    },
  );
  expect(cases.map((_, index) => effectsOf(changes, String(91 + index)))).toEqual(
    cases.map(([, , cents]) => [
      { initiative_id: 3, month: null, ...NOTHING, vendor_price_effect_cents: cents },
    ]),
  );
});

it('freed capacity has a floor of its own in each initiative', async () => {
  // Initiative 2 had 100 less 150 realised, 50 below zero; 80 more leave 30. Initiative 3 had 100 and loses 40.
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'reported_value', brought(91n, capacity(100n)), undated(92n, capacity(100n)));
      put(rows, 'reported_value', undated(93n, { ...dollars(150n), entry_type: 'capacity_realized' }));
    },
    (rows) => {
      edit(rows, 'reported_value', { 91: dollars(60n), 92: dollars(180n) });
      add(rows, '3 all', { freed: -40n });
      add(rows, '2 all', { freed: 30n });
      add(rows, 'portfolio all', { freed: -10n });
    },
  );
  expect([effectsOf(changes, '91'), effectsOf(changes, '92')]).toEqual([freed(3, -40), freed(2, 30)]);
  expect(totalOf(changes, null)?.moved).toEqual([edited('freed_capacity_cents', 3_000, -10, 2)]);
});

it('a fiscal year that begins in another month moves every figure from its window to another', async () => {
  const figures = { cash: 900n, freed: 700n, capex: 70n, opex: 500n, effect: 30n };
  const changes = await entries.changes(
    (rows) => {
      // May 2026 is in the first quarter of a year that begins in April, and in the second of one from January.
      rows['reported_value'] = [
        value(91n, 1n, '2026-05-10', capacity(700n)),
        value(92n, 1n, '2026-05-10', { ...dollars(900n), ...split(30n) }),
      ];
      rows['costs'] = [cost(93n, 1n, '2026-05-10', capex(70n)), cost(94n, 1n, '2026-05-10', dollars(500n))];
      rows['reported_totals'] = [1n, null].flatMap((whose) => [
        total(whose, 'all', figures),
        total(whose, 'fy2027', figures),
        total(whose, 'next1', figures),
      ]);
    },
    (rows) => {
      Object.assign(rows['snapshot']?.[0] ?? {}, { fiscal_year_start_month: 1 });
      rows['reported_totals'] = [1n, null].flatMap((whose) => [
        total(whose, 'all', figures),
        total(whose, 'fy2026', figures),
        total(whose, 'q2', figures),
      ]);
    },
  );
  const moves = (initiative: number | null, window: string) =>
    totalOf(changes, initiative, window)?.moved.map(({ figure, before_cents, after_cents, because }) => [
      figure,
      [before_cents, after_cents],
      because,
    ]);
  const FIGURES = [
    ['cash_value_cents', 900],
    ['freed_capacity_cents', 700],
    ['cost_cents', 570],
    ['net_value_cents', 330],
    ['capex_cents', 70],
    ['opex_cents', 500],
    ['vendor_price_effect_cents', 30],
  ] as const;
  for (const window of ['fy2027', 'fy2027-q1']) {
    expect(moves(null, window)).toEqual(
      FIGURES.map(([figure, cents]) => [figure, [cents, 0], moved(-cents)]),
    );
  }
  for (const window of ['fy2026', 'fy2026-q2']) {
    expect(moves(null, window)).toEqual(FIGURES.map(([figure, cents]) => [figure, [0, cents], moved(cents)]));
  }
  expect(totalOf(changes, null)).toBeUndefined();
});
