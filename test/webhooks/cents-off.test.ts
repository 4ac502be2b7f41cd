import { expect, it } from 'vitest';
import { centsOff } from '../../src/webhooks/cents-off.ts';

it.each([
  // As `42-check-amounts`, `44-check-parts` and the controls say it.
  ['the rows add up to 119900', 'cash_value is 120000 cents', 100],
  ['the rows add up to -50', 'net value is 25 cents', 75],
  ['the ledger has 10001', 'usd_amount_cents is 10000', 1],
  ['the plan makes 500', 'planned_value_cents is 700', 200],
  // About something else, or about nothing.
  ['the ledger has 11', 'rows is 10', null],
  ['the rows add up to 5', 'cash value is empty', null],
  ['the ledger has none', 'usd_amount_cents is 10000', null],
  ['it is in initiatives', 'initiative_id is 7', null],
  ['the rows add up to 99999999999999999999', 'cash value is 0 cents', null],
])('%s, %s: off by %s', (expected, found, cents) => {
  expect(centsOff({ expected, found })).toBe(cents);
});
