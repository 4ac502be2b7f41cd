/** What the totals of a few entries moved by and why, worked by hand: entries without a day, which are in all time only. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { row } from '../snapshot/audit/audited-company.ts';
import { cost, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';
import {
  add,
  addAll,
  addCents,
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

const planned = (figure: string, before_cents: number, cents: number) => ({
  figure,
  before_cents,
  after_cents: before_cents + cents,
  because: [{ reason: 'plan_moved', cents, entries: 0 }],
});

it('every figure of the portfolio shows its values before and after, and the number of entries in the move', async () => {
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'costs', spent(101n, capex(100n)), spent(102n, dollars(90n)), spent(103n, capex(80n)));
      put(rows, 'costs', spent(110n, capex(1n)), spent(111n, capex(60n)), spent(112n, capex(50n)));
      put(rows, 'reported_value', brought(104n, dollars(10n)), brought(105n, dollars(9n)));
      put(rows, 'reported_value', brought(106n, capacity(5n)), brought(107n, capacity(7n)));
      put(
        rows,
        'reported_value',
        brought(108n, split(0n)),
        brought(109n, split(2n)),
        brought(113n, split(0n)),
      );
      addAll(rows, { cash: 19n, freed: 12n, capex: 291n, opex: 90n, effect: 2n });
    },
    (rows) => {
      // Three costs left capex for opex, which moves no cost and no net value.
      const moved = { cost_category: 'opex' };
      edit(rows, 'costs', {
        101: dollars(200n),
        102: dollars(40n),
        103: moved,
        110: dollars(2n),
        111: moved,
        112: moved,
      });
      edit(rows, 'reported_value', {
        104: dollars(30n),
        105: dollars(4n),
        106: dollars(8n),
        107: dollars(6n),
      });
      edit(rows, 'reported_value', { 108: split(4n), 109: split(1n), 113: split(1n) });
      addAll(rows, { cash: 15n, freed: 2n, capex: -89n, opex: 140n, effect: 4n });
      addCents(rows, 'portfolio all', {
        planned_value_to_date_cents: 1n,
        planned_capacity_to_date_cents: 2n,
        planned_opex_to_date_cents: -3n,
        planned_capex_cents: 4n,
      });
    },
  );
  // In the order of the columns. The company had cash 129,086, capacity 3,000, capex -1,087, opex 50,700, effect 19,997.
  expect(totalOf(changes, null)?.moved).toEqual([
    edited('cash_value_cents', 129_105, 15, 2), // 104 and 105
    edited('freed_capacity_cents', 3_012, 2, 2), // 106 and 107
    edited('cost_cents', 49_994, 51, 3), // 101, 102 and 110
    edited('net_value_cents', 79_111, -36, 5), // those of cash and of cost
    edited('capex_cents', -796, -89, 5), // all costs but 102
    edited('opex_cents', 50_790, 140, 4), // 102, 103, 111 and 112
    planned('planned_value_to_date_cents', 71_169, 1),
    planned('planned_capacity_to_date_cents', 700, 2),
    planned('planned_opex_to_date_cents', 350, -3),
    planned('planned_capex_cents', 999, 4),
    edited('vendor_price_effect_cents', 19_999, 4, 3), // 108, 109 and 113
  ]);
  expect(totalOf(changes, 3)?.moved.map(({ figure }) => figure)).toEqual([
    'cash_value_cents',
    'freed_capacity_cents',
    'cost_cents',
    'net_value_cents',
  ]);
});

it('a cost and a value entry of one id are two entries, each with its reason', async () => {
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'costs', spent(91n, dollars(500n)), spent(94n, dollars(10n)));
      put(rows, 'reported_value', brought(91n, dollars(900n)), brought(94n, dollars(30n)));
      addAll(rows, { cash: 930n, opex: 510n });
    },
    (rows) => {
      edit(rows, 'costs', { 91: dollars(700n), 94: dollars(25n) });
      edit(rows, 'reported_value', { 91: dollars(1_000n) });
      rows['reported_value']?.pop(); // 94
      addAll(rows, { cash: 70n, opex: 215n });
    },
  );
  const deleted = { reason: 'entry_deleted', cents: -30, entries: 1 };
  expect(totalOf(changes, 3)?.moved.map(({ figure, because }) => [figure, because])).toEqual([
    ['cash_value_cents', [{ reason: 'entry_edited', cents: 100, entries: 1 }, deleted]],
    ['cost_cents', [{ reason: 'entry_edited', cents: 215, entries: 2 }]],
    ['net_value_cents', [{ reason: 'entry_edited', cents: -115, entries: 3 }, deleted]],
  ]);
  const effects = (table: string) =>
    changes.filter((each) => each.table === table).map((each) => each.effects);
  const place = { initiative_id: 3, month: null, ...NOTHING };
  expect(effects('costs')).toEqual([[{ ...place, opex_cents: 200 }], [{ ...place, opex_cents: 15 }]]);
  expect(effects('reported_value')).toEqual([
    [{ ...place, cash_value_cents: 100 }],
    [{ ...place, cash_value_cents: -30 }],
  ]);
});

it('a figure that was empty and is nothing now did not move', async () => {
  const changes = await entries.changes(
    () => undefined,
    (rows) =>
      Object.assign(row(rows, 'reported_totals', 'portfolio fy2026-q2'), { vendor_price_effect_cents: 0n }),
  );
  expect(totalOf(changes, null, 'fy2026-q2')).toMatchObject({
    before: { vendor_price_effect_cents: null },
    after: { vendor_price_effect_cents: 0 },
    moved: [],
  });
});

it('the lower id of two entries with one reason comes first to the floor of freed capacity', async () => {
  // 100 and 100 less 150 realised: 50 freed. Entry 91 takes 60, which is 10 below zero, so that nothing is left for 92.
  const changes = await entries.changes(
    (rows) => {
      const realized = { ...dollars(150n), entry_type: 'capacity_realized' };
      put(
        rows,
        'reported_value',
        brought(92n, capacity(100n)),
        brought(91n, capacity(100n)),
        brought(93n, realized),
      );
      addAll(rows, { cash: 150n, freed: 50n });
    },
    (rows) => {
      edit(rows, 'reported_value', { 91: dollars(40n), 92: dollars(40n) });
      addAll(rows, { freed: -50n });
    },
  );
  expect(effectsOf(changes, '91')).toEqual([
    { initiative_id: 3, month: null, ...NOTHING, freed_capacity_cents: -50 },
  ]);
  expect(effectsOf(changes, '92')).toEqual([]);
  expect(totalOf(changes, null)?.moved).toMatchObject([
    { figure: 'freed_capacity_cents', because: [{ reason: 'entry_edited', cents: -50, entries: 1 }] },
  ]);
});

it('an entry of which only the effect of prices changed says so', async () => {
  const changes = await entries.changes(
    (rows) => put(rows, 'reported_value', brought(91n, split(0n))),
    (rows) => {
      edit(rows, 'reported_value', { 91: split(300n) });
      addAll(rows, { effect: 300n });
    },
  );
  expect(effectsOf(changes, '91')).toEqual([
    { initiative_id: 3, month: null, ...NOTHING, vendor_price_effect_cents: 300 },
  ]);
});

it('an entry that moved lists its initiatives by ascending id, for any months', async () => {
  const windows = ['all', 'fy2027', 'fy2027-q2'];
  const changes = await entries.changes(
    (rows) => {
      put(rows, 'costs', cost(91n, 1n, '2026-09-02', dollars(500n)));
      for (const window of windows) {
        for (const whose of ['1', 'portfolio']) add(rows, `${whose} ${window}`, { opex: 500n });
      }
    },
    (rows) => {
      const month = {
        period_start: value(0n, 0n, '2026-08-02', {})['period_start'] ?? null,
        period_month: '2026-08-01',
      };
      edit(rows, 'costs', { 91: { ...month, initiative_id: 2n } });
      for (const window of windows) {
        add(rows, `1 ${window}`, { opex: -500n });
        add(rows, `2 ${window}`, { opex: 500n });
      }
    },
  );
  expect(effectsOf(changes, '91')).toEqual([
    { initiative_id: 1, month: '2026-09-01', ...NOTHING, opex_cents: -500 },
    { initiative_id: 2, month: '2026-08-01', ...NOTHING, opex_cents: 500 },
  ]);
  expect(totalOf(changes, null)).toBeUndefined();
});
