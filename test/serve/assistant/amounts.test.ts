import { describe, expect, it } from 'vitest';
import { money, moneyOr } from '../../../src/serve/assistant/amounts.ts';

describe('an amount in the assistant’s text', () => {
  it.each([
    [0, '0.00 USD'],
    [5, '0.05 USD'],
    [-5, '-0.05 USD'],
    [50, '0.50 USD'],
    [-99, '-0.99 USD'],
    [100, '1.00 USD'],
    [99_999, '999.99 USD'],
    [100_000, '1,000.00 USD'],
    [-123_456_789, '-1,234,567.89 USD'],
    // 2^53 - 1, the largest amount of the ledger
    [9_007_199_254_740_991, '90,071,992,547,409.91 USD'],
  ])('of %d cents has units, two digits of cents and a sign', (amount_cents, text) => {
    expect(money(amount_cents, 'USD')).toBe(text);
  });

  it('names its currency, or says that there is no currency', () => {
    expect([money(1, 'EUR'), money(1, null)]).toEqual(['0.01 EUR', '0.01 (no currency)']);
  });

  it('that is missing is said in words, and zero is not missing', () => {
    expect([moneyOr(null, 'USD', 'no amount'), moneyOr(0, 'USD', 'no amount')]).toEqual([
      'no amount',
      '0.00 USD',
    ]);
  });
});
