import { expect, it } from 'vitest';
import { type DayRate, implausibleRates as judge } from '../../../src/ledger/convert/plausible-rates.ts';

/** Judges all rates of the file. */
const implausibleRates = (rates: readonly DayRate[], before: readonly DayRate[]) =>
  judge(rates, before, (rate) => rates.includes(rate));

/** Rates of one currency on the days from 1 January 2026 on. */
function days(currency: string, ...units: readonly string[]): readonly DayRate[] {
  return units.map((units_per_euro, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    currency,
    units_per_euro,
  }));
}
const THIRTY = Array.from({ length: 30 }, () => '1.2');
/** The thirty-first day. */
const DAY = '2026-01-31';

it.each([
  // A median of 1.2: three times is 3.6, a third is 0.4.
  ['3.6', []],
  ['3.6000000001', ['1.2']],
  ['0.4', []],
  ['0.3999999999', ['1.2']],
])('the check judges a rate of %s beside a median of 1.2', (rate, medians) => {
  const far = implausibleRates(days('USD', ...THIRTY, rate), []);
  expect(far.map(({ day, median }) => [day, median])).toEqual(medians.map((median) => [DAY, median]));
});

it('the median is the mean of the two middle rates', () => {
  // Fifteen days of 1 and fifteen of 2: the median is 1.5, three times is 4.5.
  const mixed = THIRTY.map((_, index) => (index % 2 === 0 ? '1' : '2'));
  expect(implausibleRates(days('USD', ...mixed, '4.5'), [])).toEqual([]);
  expect(implausibleRates(days('USD', ...mixed, '4.51'), [])).toMatchObject([{ median: '1.5' }]);
});

it('the first thirty days of a currency are not judged', () => {
  expect(implausibleRates(days('USD', ...THIRTY.slice(1), '120'), [])).toEqual([]);
});

it('each currency is judged beside its own days, and the first day of a file beside the stored days', () => {
  const stored = [...days('JPY', ...THIRTY.map(() => '170')), ...days('USD', ...THIRTY)];
  const rates = [
    { day: DAY, currency: 'JPY', units_per_euro: '0.0059' },
    { day: DAY, currency: 'USD', units_per_euro: '1.17' },
  ];
  expect(implausibleRates(rates, stored)).toEqual([{ ...rates[0], median: '170' }]);
});

it('a rate is judged by the thirty days before alone: older rates do not count', () => {
  // Day 1 is the only one of 1.2; the thirty days after it have 6, which is five times as much.
  const later = [...days('USD', '1.2', ...THIRTY.map(() => '6'), '6')].slice(1);
  expect(implausibleRates(later, days('USD', '1.2'))).toEqual([]);
});
