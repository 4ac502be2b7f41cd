/** The reasons of a small company's history, worked by hand: `a-history.ts` has what happened. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change } from '../../src/diff/change.ts';
import type { CompareTools, Pair } from '../../src/diff/compare.ts';
import { REASON_NAMES } from '../../src/diff/reasons.ts';
import { DAY, readerAt } from '../snapshot/builder/build-harness.ts';
import { AT, type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { ACCOUNT, beginHistory, goOn } from './history-harness.ts';
import { compared, compareTools } from './compared.ts';

let harness: BuildHarness;
let tools: CompareTools;
let changes: readonly Change[];
/** After the fiscal year was made to begin in April, and nothing else. */
let moved: readonly Change[];

beforeAll(async () => {
  harness = await openBuildHarness('template_ledger');
  const owner = await harness.database.client('cf_owner');
  await beginHistory(owner);
  await harness.build({ account_id: ACCOUNT, at: AT - DAY, night: '2026-07-14' });
  await goOn(owner, await harness.database.client('cf_writer'));
  await harness.build({ account_id: ACCOUNT });
  await owner.query('update ledger.accounts set fiscal_year_start_month = 4 where id = 7');
  await harness.build({ account_id: ACCOUNT, at: AT + 1_000_000n, night: '2026-07-16' });
  const reader = readerAt(harness.store, () => AT);
  tools = await compareTools(harness.root, reader);
  const [third, second, first] = await reader.list(ACCOUNT);
  changes = await compared({ account_id: ACCOUNT, earlier: first, later: second } as Pair, tools);
  moved = await compared({ account_id: ACCOUNT, earlier: second, later: third } as Pair, tools);
});
afterAll(() => harness.close());

const of = (table: string, among = changes) => among.filter((each) => each.table === table);

/** The reasons of changed entries by id. */
function reasonsOf(table: string, id: string): Record<string, unknown> {
  return Object.fromEntries(of(table).map(({ key, reason }) => [String(key[id]), reason]));
}

/** What a figure of a window moved by, by reason, with the entries counted; undefined when it did not move. */
function whyMoved(window: string, figure: string, initiative: number | null = null, among = changes) {
  const total = of('reported_totals', among).find(
    ({ key }) => key['window_key'] === window && key['initiative_id'] === initiative,
  );
  const move = total?.moved.find((each) => each.figure === figure);
  if (move === undefined) return undefined;
  const parts = move.because.map(({ reason, cents, entries }) => [reason, [cents, entries]] as const);
  return { by: move.after_cents - move.before_cents, ...Object.fromEntries(parts) };
}

describe('each changed entry', () => {
  it('has the first reason that applies: costs', () => {
    expect(reasonsOf('costs', 'cost_entry_id')).toEqual({
      1: 'rate_became_average',
      2: 'rate_arrived',
      3: 'rate_changed',
      4: 'month_reopened',
      5: 'month_locked',
      6: 'entry_added',
      7: 'entry_edited',
      8: 'entry_edited',
      9: 'entry_deleted',
      10: 'vendor_merged',
      11: 'described_anew',
      12: 'initiative_entered',
      13: 'initiative_left',
      14: 'deleted_in_reopened_month',
      15: 'month_unlocked',
      16: 'added_in_reopened_month',
    });
  });

  it('has the first reason that applies: value', () => {
    expect(reasonsOf('reported_value', 'value_entry_id')).toEqual({
      101: 'approved',
      102: 'disputed',
      103: 'archived',
      104: 'sent_back',
      105: 'entry_edited',
      108: 'approved',
      109: 'approved',
      110: 'month_locked',
      111: 'initiative_left',
    });
  });

  it('is shown with its key, the columns that differ before and after, and its effect by month', () => {
    // 100,000 euro cents at 1.10, then at 1.12.
    expect(of('costs')[0]).toMatchObject({
      change: 'changed',
      key: { cost_entry_id: 1 },
      before: {
        usd_amount_cents: 110_000,
        usd_rate: 1.1,
        usd_rate_from: '2026-06-29',
        usd_rate_provisional: true,
      },
      after: {
        usd_amount_cents: 112_000,
        usd_rate: 1.12,
        usd_rate_from: '2026-06-01',
        usd_rate_provisional: false,
      },
      effects: [
        { initiative_id: 1, month: '2026-06-01', opex_cents: 2_000, capex_cents: 0, cash_value_cents: 0 },
      ],
    });
    expect(Object.keys(of('costs')[0]?.after ?? {})).not.toContain('amount_cents');
  });

  it('that moved no figure has no effects', () => {
    const [merged] = of('costs').filter(({ key }) => key['cost_entry_id'] === 10);
    expect(merged?.effects).toEqual([]);
  });

  it('that moved to another month took from the one and brought to the other', () => {
    const [brought] = of('costs').filter(({ key }) => key['cost_entry_id'] === 8);
    expect(brought?.effects.map(({ month, opex_cents }) => [month, opex_cents])).toEqual([
      ['2026-05-01', -5_000],
      ['2026-07-01', 5_000],
    ]);
  });

  it('that was added or removed is shown whole, on its own side', () => {
    const [added] = of('costs').filter(({ key }) => key['cost_entry_id'] === 6);
    expect([added?.change, added?.before]).toEqual(['added', null]);
    expect(added?.after).toMatchObject({
      cost_entry_id: 6,
      amount_cents: 9_000,
      period_start: '2026-07-01T00:00:00.000000Z',
      created_at: '2026-07-14T12:00:00.000000Z',
      usd_rate: null,
    });
    const [removed] = of('costs').filter(({ key }) => key['cost_entry_id'] === 9);
    expect([removed?.change, removed?.after]).toEqual(['removed', null]);
    expect(removed?.before).toMatchObject({ cost_entry_id: 9, amount_cents: 6_000 });
  });
});

describe('each moved total', () => {
  it('of all time is explained by amounts that add up: cost, capex and opex', () => {
    // Entry 7 left opex for capex and 8 changed its month: neither moved cost. The parts add up to 17,500.
    expect(whyMoved('all', 'cost_cents')).toEqual({
      by: 17_500,
      rate_became_average: [2_000, 1],
      rate_arrived: [12_500, 1], // 10,000 × 1.25
      rate_changed: [-1_000, 1], // 50,000 × (1.08 − 1.10)
      initiative_entered: [11_000, 1],
      initiative_left: [-13_000, 1],
      month_reopened: [3_000, 1],
      entry_added: [9_000, 1],
      entry_deleted: [-6_000, 1],
    });
    expect(whyMoved('all', 'capex_cents')).toEqual({
      by: 16_500,
      rate_arrived: [12_500, 1],
      entry_edited: [4_000, 1],
    });
    expect(whyMoved('all', 'opex_cents')).toMatchObject({
      by: 1_000,
      entry_edited: [-4_000, 1], // 7; 8 has 5,000 less in May and more in July
    });
  });

  it('of all time is explained: cash value, net value and the effect of prices', () => {
    // 50,000 + 5,000 (capacity realised is cash) + 8,000 approved, the rest went.
    expect(whyMoved('all', 'cash_value_cents')).toEqual({
      by: -102_000,
      initiative_left: [-70_000, 1],
      approved: [63_000, 3],
      disputed: [-60_000, 1],
      archived: [-20_000, 1],
      sent_back: [-15_000, 1],
    });
    // Cash value less cost, reason by reason: −102,000 − 17,500.
    expect(whyMoved('all', 'net_value_cents')).toEqual({
      by: -119_500,
      rate_became_average: [-2_000, 1],
      rate_arrived: [-12_500, 1],
      rate_changed: [1_000, 1],
      initiative_entered: [-11_000, 1],
      initiative_left: [-57_000, 2], // −70,000 + 13,000
      approved: [63_000, 3],
      disputed: [-60_000, 1],
      archived: [-20_000, 1],
      sent_back: [-15_000, 1],
      month_reopened: [-3_000, 1],
      entry_added: [-9_000, 1],
      entry_deleted: [6_000, 1],
    });
    expect(whyMoved('all', 'vendor_price_effect_cents')).toEqual({ by: 3_000, approved: [3_000, 1] });
  });

  it('of freed capacity is explained across its floor, in the order of reasons', () => {
    // June had 40,000 less 30,000 realised: 10,000. First 5,000 more was realised: 5,000 left. Then 40,000 became
    // 20,000: 15,000 below zero, which is floored, so that only those 5,000 went.
    expect(whyMoved('all', 'freed_capacity_cents')).toEqual({
      by: -10_000,
      approved: [-5_000, 1],
      entry_edited: [-5_000, 1],
    });
  });

  it('of a quarter has what falls into it alone, and an entry that changed its quarter in both', () => {
    expect(whyMoved('fy2026-q1', 'cost_cents')).toEqual({ by: 3_000, month_reopened: [3_000, 1] });
    expect(whyMoved('fy2026-q2', 'cost_cents')).toEqual({
      by: -9_500, // 2,000 + 12,500 − 13,000 − 5,000 − 6,000
      rate_became_average: [2_000, 1],
      rate_arrived: [12_500, 1],
      initiative_left: [-13_000, 1],
      entry_edited: [-5_000, 1],
      entry_deleted: [-6_000, 1],
    });
    expect(whyMoved('fy2026-q3', 'cost_cents')).toEqual({
      by: 24_000, // −1,000 + 11,000 + 9,000 + 5,000
      rate_changed: [-1_000, 1],
      initiative_entered: [11_000, 1],
      entry_added: [9_000, 1],
      entry_edited: [5_000, 1],
    });
  });

  it('of net value counts only entries that moved it', () => {
    // Entry 7 left opex for capex and 105 is capacity: both were edited, and neither moved net value.
    expect(whyMoved('fy2026-q2', 'net_value_cents')).toEqual({
      by: -100_500, // cash 55,000 − 70,000 − 60,000 − 20,000 − 15,000, less cost of −9,500
      rate_became_average: [-2_000, 1],
      rate_arrived: [-12_500, 1],
      initiative_left: [-57_000, 2],
      approved: [55_000, 2], // 101 and 108; 109 is of July
      disputed: [-60_000, 1],
      archived: [-20_000, 1],
      sent_back: [-15_000, 1],
      entry_edited: [5_000, 1],
      entry_deleted: [6_000, 1],
    });
  });

  it('of an initiative that came or went is explained from nothing and to nothing', () => {
    expect(whyMoved('all', 'cost_cents', 2)).toEqual({ by: 11_000, initiative_entered: [11_000, 1] });
    expect(whyMoved('fy2026', 'cash_value_cents', 3)).toEqual({ by: -70_000, initiative_left: [-70_000, 1] });
    const gone = of('reported_totals').filter(({ key }) => key['initiative_id'] === 3);
    expect(new Set(gone.map(({ change }) => change))).toEqual(new Set(['removed']));
  });

  it('of plans is explained by one amount', () => {
    // 12,000 a year more: 1,000 for each of the seven months from January that are due by 15 July.
    expect(whyMoved('all', 'planned_value_to_date_cents')).toEqual({ by: 7_000, plan_moved: [7_000, 0] });
    expect(whyMoved('fy2026-q3', 'planned_value_to_date_cents')).toEqual({
      by: 1_000,
      plan_moved: [1_000, 0],
    });
  });

  it('adds up, whichever it is', () => {
    const moves = [...changes, ...moved].flatMap((change) => change.moved);
    expect(moves.length).toBeGreaterThan(50);
    for (const { before_cents, after_cents, because } of moves) {
      expect(because.reduce((sum, { cents }) => sum + cents, 0)).toBe(after_cents - before_cents);
    }
  });

  it('names its reasons in their declared order', () => {
    for (const { because } of changes.flatMap((change) => change.moved)) {
      const places = because.map(({ reason }) => REASON_NAMES.indexOf(reason));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
    }
  });
});

describe('a fiscal year that begins in another month', () => {
  it('moves entries between windows and changes no entry', () => {
    expect([of('costs', moved), of('reported_value', moved)]).toEqual([[], []]);
    // Calendar 2026 held all dated costs; April 2025 to March 2026 holds entry 4 alone.
    const costs = 112_000 + 12_500 + 54_000 + 33_000 + 7_000 + 9_000 + 4_000 + 5_000 + 2_000 + 11_000;
    expect(whyMoved('fy2026', 'cost_cents', null, moved)).toEqual({
      by: 33_000 - costs,
      fiscal_year_moved: [33_000 - costs, 0],
    });
    expect(whyMoved('fy2027', 'cost_cents', null, moved)).toEqual({
      by: costs - 33_000,
      fiscal_year_moved: [costs - 33_000, 0],
    });
    expect(whyMoved('all', 'cost_cents', null, moved)).toBeUndefined();
  });
});

it('each reason of the list is given somewhere', () => {
  const given = [...changes, ...moved].flatMap(({ reason, moved: totals }) => [
    ...(reason === null ? [] : [reason]),
    ...totals.flatMap(({ because }) => because.map((part) => part.reason)),
  ]);
  expect([...new Set(given)].toSorted()).toEqual([...REASON_NAMES].toSorted());
});
