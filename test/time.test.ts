import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInstant, parseInstant } from '../src/time.ts';
import { isSnapshotId, secondOfSnapshotId, snapshotIdOf } from '../src/snapshot/format/snapshot-id.ts';

// 2024-02-29 is day 54 × 365 + 13 leap days + 59 = 19,782 since 1970; 23:59:59 is second 86,399 of it.
const LEAP_DAY_END = (19_782n * 86_400n + 86_399n) * 1_000_000n;

test('an instant is written to the microsecond', () => {
  expect(formatInstant(LEAP_DAY_END + 1n)).toBe('2024-02-29T23:59:59.000001Z');
  expect(formatInstant(0n)).toBe('1970-01-01T00:00:00.000000Z');
  expect(formatInstant(-1n)).toBe('1969-12-31T23:59:59.999999Z');
});

test('an instant is read back as it was written', () => {
  fc.assert(
    // Years 1 to 9999.
    fc.property(fc.bigInt(-62_135_596_800_000_000n, 253_402_300_799_999_999n), (instant) => {
      expect(parseInstant(formatInstant(instant))).toBe(instant);
    }),
  );
});

test.each([
  '2026-02-29T00:00:00.000000Z',
  '2026-13-01T00:00:00.000000Z',
  '2026-01-01T24:00:00.000000Z',
  '2026-01-01T00:60:00.000000Z',
  '2026-01-01T23:59:60.000000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000000+00:00',
  '2026-01-01 00:00:00.000000Z',
  '',
])('the text %j is no instant', (text) => {
  expect(parseInstant(text)).toBeNull();
});

test('a snapshot is named by its moment, cut to the second', () => {
  expect(snapshotIdOf(LEAP_DAY_END + 999_999n)).toBe('20240229T235959Z');
  expect(secondOfSnapshotId('20240229T235959Z')).toBe(LEAP_DAY_END);
});

test.each([
  '20260229T000000Z',
  '20261301T000000Z',
  '20260101T240000Z',
  '20260101T000000',
  '20260101t000000z',
  '2026-01-01T000000Z',
  ' 20260101T000000Z',
  '20260101T000000Z\n',
  '../../../../../..',
  '',
])('the text %j is no snapshot id', (id) => {
  expect(isSnapshotId(id)).toBe(false);
});
