/** An offence as data, the sentence that is made of it, and by how many cents it is off. */
import { expect, it } from 'vitest';
import { centsOff, type Offence, sentenceOf } from '../../../src/snapshot/audit/report.ts';

function offence(figure: string, expected: string | null, found: string | null): Offence {
  return { subject: 'costs', place: 'cost_entry_id 7', figure, expected, found, rule: null };
}

it('the sentence names table, key, figure, expected and found, and why', () => {
  const amount = { ...offence('usd_amount_cents', '119900', '120000'), rule: 'amount times rate' };
  expect(sentenceOf(amount)).toBe(
    'costs cost_entry_id 7: usd_amount_cents is 120000 cents, expected 119900 cents: amount times rate',
  );
  expect(sentenceOf(offence('usd_rate', 'a rate above 0', null))).toBe(
    'costs cost_entry_id 7: usd_rate is empty, expected a rate above 0',
  );
});

it('the sentence repeats the two clauses of an audit that was published before findings were data', () => {
  const clauses = { subject: 'costs', place: 'EUR', expected: 'the ledger has 42', found: 'rows is 41' };
  expect(sentenceOf(clauses)).toBe('costs EUR: expected the ledger has 42; found rows is 41');
  expect(centsOff(clauses)).toBeNull();
});

it.each([
  ['usd_amount_cents', '119900', '120000', 100],
  ['net_value_cents', '-50', '25', 75],
  ['amount_cents', '10001', '10000', 1],
  // No money, an empty side, a condition, and more than a JSON number can say.
  ['rows', '11', '10', null],
  ['cash_value_cents', '5', null, null],
  ['booked_cents', 'an amount', '10000', null],
  ['cash_value_cents', '99999999999999999999', '0', null],
])('the distance in cents of %s, expected %s and found %s, is %s', (figure, expected, found, cents) => {
  expect(centsOff(offence(figure, expected, found))).toBe(cents);
});
