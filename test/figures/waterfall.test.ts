/** The steps of a waterfall and the order of reasons, worked by hand. */
import { describe, expect, it } from 'vitest';
import { groupByReason, sumEffects, waterfallSteps } from '../../src/figures/waterfall.ts';

describe('the steps of net value', () => {
  it('begin at the level before and end at the level after, values first, the largest amount first', () => {
    // Before −$40.88; values +16.20 and −4.00; costs +18.53 and −0.60: after −40.88 + 12.20 − 17.93 = −46.61.
    const steps = waterfallSteps(
      -4_088n,
      [
        { reason: 'disputed', cents: -400n, entries: 1 },
        { reason: 'approved', cents: 1_620n, entries: 2 },
      ],
      [
        { reason: 'entry_deleted', cents: -60n, entries: 1 },
        { reason: 'entry_added', cents: 1_853n, entries: 3 },
      ],
    );
    expect(steps.map(({ kind, reason, net, from, to }) => [kind, reason, net, from, to])).toEqual([
      ['value', 'approved', 1_620n, -4_088n, -2_468n],
      ['value', 'disputed', -400n, -2_468n, -2_868n],
      ['cost', 'entry_added', -1_853n, -2_868n, -4_721n],
      ['cost', 'entry_deleted', 60n, -4_721n, -4_661n],
    ]);
  });
});

const entry = (kind: 'cost' | 'value', reason: string, net: bigint) => ({ kind, reason, net });

const part = (reason: string, cents: bigint) => ({ reason, cents, entries: 3 });

it('a fall is a step as large as a rise, and equal steps stay in their order', () => {
  const values = [part('a', 100n), part('b', -2_000n), part('c', -100n)];
  expect(waterfallSteps(0n, values, [part('d', 5n), part('e', -90n)])).toEqual([
    { kind: 'value', reason: 'b', cents: -2_000n, entries: 3, net: -2_000n, from: 0n, to: -2_000n },
    { kind: 'value', reason: 'a', cents: 100n, entries: 3, net: 100n, from: -2_000n, to: -1_900n },
    { kind: 'value', reason: 'c', cents: -100n, entries: 3, net: -100n, from: -1_900n, to: -2_000n },
    { kind: 'cost', reason: 'e', cents: -90n, entries: 3, net: 90n, from: -2_000n, to: -1_910n },
    { kind: 'cost', reason: 'd', cents: 5n, entries: 3, net: -5n, from: -1_910n, to: -1_915n },
  ]);
  expect(waterfallSteps(7n, [], [])).toEqual([]);
});

describe('changed entries', () => {
  it('add cash to net value, take both kinds of cost from it, and leave freed capacity out', () => {
    const effect = { cash_value_cents: 500, capex_cents: 20, opex_cents: 3, freed_capacity_cents: 9_999 };
    const other = { cash_value_cents: 0, capex_cents: 0, opex_cents: -7, freed_capacity_cents: 1 };
    // Cost: 20 + 3 - 7 = 16 cents; net value: 500 - 16 = 484 cents.
    expect(sumEffects([effect, other])).toEqual({
      cost: 16n,
      cash_value: 500n,
      net_value: 484n,
      freed_capacity: 10_000n,
    });
    expect(sumEffects([]).net_value).toBe(0n);
  });

  it('are grouped by kind and reason, the largest sum first, and in a group the largest effect first', () => {
    const groups = groupByReason([
      entry('cost', 'entry_edited', 0n),
      entry('cost', 'entry_edited', -10n),
      entry('cost', 'entry_added', -300n),
      entry('cost', 'entry_edited', 900n),
      entry('value', 'entry_edited', 5n),
      entry('value', 'approved', 1n),
      entry('value', 'disputed', -80n),
    ]);
    expect(
      groups.map(({ kind, reason, net, entries, moving }) => [
        [kind, reason, net],
        entries.map((each) => each.net),
        moving,
      ]),
    ).toEqual([
      [['value', 'disputed', -80n], [-80n], 1],
      [['value', 'entry_edited', 5n], [5n], 1],
      [['value', 'approved', 1n], [1n], 1],
      [['cost', 'entry_edited', 890n], [900n, -10n, 0n], 2], // the entry of 0 moves nothing
      [['cost', 'entry_added', -300n], [-300n], 1],
    ]);
  });
});
