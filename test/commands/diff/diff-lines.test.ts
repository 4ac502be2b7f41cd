/** Changed rows and moved totals as `crossfoot diff` prints them, line by line. */
import { expect, it } from 'vitest';
import { countLines, headLines, moveLines, rowLines } from '../../../src/commands/diff/diff-lines.ts';
import type { Change } from '../../../src/diff/change.ts';

const MOVED: Change['moved'] = [
  {
    figure: 'cost_cents',
    before_cents: 30_000,
    after_cents: 31_500,
    because: [
      { reason: 'entry_added', cents: 2_000, entries: 2 },
      { reason: 'entry_deleted', cents: -500, entries: 1 },
      { reason: 'fiscal_year_moved', cents: 0, entries: 0 },
    ],
  },
  {
    figure: 'net_value_cents',
    before_cents: 9_007_199_254_740_991,
    after_cents: -2, // 9,007,199,254,740,993 less: an odd number that a double does not have
    because: [],
  },
];

const ROW: Change = {
  table: 'costs',
  change: 'changed',
  key: { cost_entry_id: 91 },
  reason: 'entry_edited',
  before: { amount_cents: 500, vendor_name: null, notes: 'Seats' },
  after: { amount_cents: 700, vendor_name: 'Acme', notes: null },
  effects: [],
  moved: [],
};

it('both snapshots are named first, the compared one above the other', () => {
  expect(headLines({ from: 'FIRST', to: 'SECOND' })).toEqual(['from  FIRST', 'to    SECOND']);
});

it('rows are counted by what became of them, of tables that have any', () => {
  const counted = countLines([
    { name: 'costs', added: 1, removed: 20, changed: 300 },
    { name: 'budgets', added: 0, removed: 0, changed: 0 },
    { name: 'ai_spend', added: 0, removed: 0, changed: 4 },
  ]);
  expect(counted.map((line) => line.split(/ +/))).toEqual([
    ['table', 'added', 'removed', 'changed'],
    ['costs', '1', '20', '300'],
    ['ai_spend', '0', '0', '4'],
  ]);
  expect(countLines([{ name: 'budgets', added: 0, removed: 0, changed: 0 }])).toEqual(['nothing changed']);
});

const total = (scope: string): Change => ({
  ...ROW,
  table: 'reported_totals',
  key: { scope, initiative_id: null, window_key: 'fy2026' },
  moved: MOVED,
});

it('a window of the portfolio says exactly by how much each figure moved, and why; a window of an initiative says nothing', () => {
  expect(moveLines(total('portfolio'))).toEqual([
    'fy2026 cost_cents: 30000 -> 31500, +1500',
    '    +2000  entry_added, entries: 2',
    '    -500  entry_deleted, entries: 1',
    '    0  fiscal_year_moved',
    'fy2026 net_value_cents: 9007199254740991 -> -2, -9007199254740993',
  ]);
  expect(moveLines(total('initiative'))).toEqual([]);
});

it('a changed row says its key, its reason, and each column that differs', () => {
  expect(rowLines(ROW)).toEqual([
    'costs cost_entry_id 91: changed, entry_edited',
    '  amount_cents: 500 -> 700',
    '  vendor_name: empty -> Acme',
    '  notes: Seats -> empty',
  ]);
});

it('a row that came or went says each column with a value, and a reason where it has one', () => {
  const key = { month: '2026-08-01', connection_id: null };
  expect(rowLines({ ...ROW, table: 'ai_spend', change: 'added', key, reason: null, before: null })).toEqual([
    'ai_spend month 2026-08-01, connection_id empty: added',
    '  amount_cents: 700',
    '  vendor_name: Acme',
  ]);
  expect(rowLines({ ...ROW, change: 'removed', reason: 'entry_deleted', after: null })).toEqual([
    'costs cost_entry_id 91: removed, entry_deleted',
    '  amount_cents: 500',
    '  notes: Seats',
  ]);
});

it('a changed total says below its columns what moved it', () => {
  const [cost] = MOVED;
  const change: Change = {
    ...ROW,
    table: 'reported_totals',
    key: { scope: 'initiative', initiative_id: 3, window_key: 'all' },
    reason: null,
    before: { cost_cents: 30_000 },
    after: { cost_cents: 31_500 },
    moved: cost === undefined ? [] : [cost],
  };
  expect(rowLines(change)).toEqual([
    'reported_totals scope initiative, initiative_id 3, window_key all: changed',
    '  cost_cents: 30000 -> 31500',
    '  cost_cents: 30000 -> 31500, +1500',
    '      +2000  entry_added, entries: 2',
    '      -500  entry_deleted, entries: 1',
    '      0  fiscal_year_moved',
  ]);
});
