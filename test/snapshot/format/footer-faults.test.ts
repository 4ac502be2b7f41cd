import { expect, it } from 'vitest';
import { footerFault } from '../../../src/snapshot/format/footer-faults.ts';
import { aTable } from '../../lake/made-lake.ts';

const table = aTable();
const { footer } = table;

/** The footer with a change of its column of that index. */
function changed(index: number, change: Partial<(typeof footer.columns)[number]>): typeof footer {
  const columns = footer.columns.map((column, at) => (at === index ? { ...column, ...change } : column));
  return { ...footer, columns };
}

it('the footer that states what was audited has no fault', () => {
  expect(footerFault(table, footer)).toBeNull();
});

it.each([
  ['rows', { ...footer, rows: 999 }, 'states 999 rows, expected 60'],
  ['a field id', changed(1, { field_id: 3 }), 'gives cost_entry_id the field id 3, expected 2'],
  ['no field id', changed(1, { field_id: null }), 'gives cost_entry_id the field id null, expected 2'],
  ['a minimum', changed(1, { least: '1' }), 'states 1 as the least value of cost_entry_id, expected 3001'],
  [
    'a maximum',
    changed(2, { greatest: '1' }),
    'states 1 as the greatest value of period_start, expected 1785542400000000',
  ],
  ['empty values', changed(2, { nulls: 4 }), 'states 4 empty values of period_start, expected 5'],
  [
    'empty values of a column that has none',
    changed(1, { nulls: 1 }),
    'states 1 empty values of cost_entry_id, expected 0',
  ],
  [
    'fewer columns',
    { ...footer, columns: footer.columns.slice(0, 2) },
    'has the columns snapshot_id, cost_entry_id, expected snapshot_id, cost_entry_id, period_start',
  ],
])('the fault of a footer names %s that differ from what was audited', (_, stated, fault) => {
  expect(footerFault(table, stated)).toBe(fault);
});

it('the number that a footer does not state is no fault', () => {
  expect(footerFault(table, changed(2, { nulls: null, least: null, greatest: null }))).toBeNull();
});
