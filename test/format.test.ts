/** Ages, sizes, times, counts and cents as a person reads them, on both sides of each unit. */
import { expect, it } from 'vitest';
import {
  printable,
  shownAge,
  shownCents,
  shownCountOf,
  shownDuration,
  shownInstant,
  shownMegabytes,
  shownRate,
  shownSentence,
  shownSize,
} from '../src/format.ts';
import { instantOf } from './support/instant-of.ts';

const NOW = instantOf('2026-07-15T02:00:59.999999Z');

it('an instant is shown to its minute, which is never rounded up', () => {
  expect(shownInstant(NOW)).toBe('2026-07-15 02:00 UTC');
});

it.each([
  [-5, '0 s', '0 seconds'],
  [0, '0 s', '0 seconds'],
  [119, '119 s', '119 seconds'],
  [120, '2 min', '2 minutes'],
  [7_199, '119 min', '119 minutes'],
  [7_200, '2 h', '2 hours'],
  [172_799, '47 h', '47 hours'],
  [172_800, '2 d', '2 days'],
  [900_000, '10 d', '10 days'],
])('an age of %i seconds is %s, or %s', (seconds, short, long) => {
  const then = NOW - BigInt(seconds) * 1_000_000n;
  expect([shownAge(then, NOW), shownAge(then, NOW, 'long')]).toEqual([short, long]);
});

it.each([
  [0, '0 kB', '0.0 MB'],
  [1, '1 kB', '0.0 MB'],
  [1_001, '2 kB', '0.0 MB'],
  [99_999, '100 kB', '0.1 MB'],
  [100_000, '0.1 MB', '0.1 MB'],
  [1_250_000, '1.3 MB', '1.3 MB'],
  [1_234_567_890, '1,234.6 MB', '1234.6 MB'],
])('%i bytes are %s in a fitting unit, and %s as megabytes', (bytes, size, megabytes) => {
  expect([shownSize(bytes), shownMegabytes(bytes)]).toEqual([size, megabytes]);
});

it.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.00 s'],
  [61_234, '61.23 s'],
])('%d ms are shown as %s', (ms, shown) => {
  expect(shownDuration(ms)).toBe(shown);
});

it.each([
  [5_000, 2_000, '2,500 rows/s'],
  [1, 0, '1,000 rows/s'],
])('%i rows in %i ms are %s', (rows, ms, shown) => {
  expect(shownRate(rows, ms)).toBe(shown);
});

it('things are counted in the singular for one alone', () => {
  expect([shownCountOf(0, 'row'), shownCountOf(1n, 'row'), shownCountOf(1_234, 'row')]).toEqual([
    '0 rows',
    '1 row',
    '1,234 rows',
  ]);
  expect([shownCountOf(1, 'entry', 'entries'), shownCountOf(2, 'entry', 'entries')]).toEqual([
    '1 entry',
    '2 entries',
  ]);
});

it.each([
  [0n, '0.00'],
  [5n, '0.05'],
  [-5n, '-0.05'],
  [-100n, '-1.00'],
  [123_456_789n, '1234567.89'],
])('%d cents are %s', (cents, shown) => {
  expect(shownCents(cents)).toBe(shown);
});

it.each([
  ['Done', 'Done.'],
  ['Done ', 'Done.'],
  ['Done.', 'Done.'],
  ['Done? ', 'Done? '],
  ['Done…', 'Done…'],
])('the sentence %j ends as %j', (text, sentence) => {
  expect(shownSentence(text)).toBe(sentence);
});

it('a line shows each sign that would steer a terminal, and keeps tabs', () => {
  expect(printable('a\tb\nc\u001b[2J\u009b\u202e\u2028ä')).toBe(
    String.raw`a	b\nc\u001b[2J\u009b\u202e\u2028ä`,
  );
});
