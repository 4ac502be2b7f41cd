import { expect, it } from 'vitest';
import { dayOfMonth } from '../../../src/ledger/sources/months.ts';

it.each([
  ['period_start', '2026-03', '2026-03-01'],
  ['period_end', '2026-03', '2026-03-31'],
  ['period_end', '2024-02', '2024-02-29'],
  ['period_end', '2100-02', '2100-02-28'],
  ['period_end', '2026-12', '2026-12-31'],
  ['period_start', '2026-03-15', '2026-03-15'],
  ['period_start', '2026-13', '2026-13'],
  ['period_start', '2026-3', '2026-3'],
  ['month', '2026-03', '2026-03-01'],
  ['booked_month', '2026-03', '2026-03-01'],
  ['effective_from', '2026-03', '2026-03-01'],
  ['ends_on', '2026-02', '2026-02-28'],
  ['observed_on', '2026-03', '2026-03'],
])('%s %s is read as %s', (column, cell, day) => {
  expect(dayOfMonth(column, cell)).toBe(day);
});
