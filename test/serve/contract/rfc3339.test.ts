import { describe, expect, it } from 'vitest';
import { readMoment } from '../../../src/serve/contract/rfc3339.ts';

describe('a moment', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:01.5Z', 1_500_000n],
    ['1970-01-01T00:00:00.000001Z', 1n],
    ['1970-01-02T00:00:00+00:00', 86_400_000_000n],
    // An hour east of Greenwich it is an hour later than in UTC.
    ['1970-01-01T01:00:00+01:00', 0n],
    ['1969-12-31T18:30:00-05:30', 0n],
    ['1970-01-01t00:00:00z', 0n],
    // 2000-01-01 is 10,957 days after 1970-01-01: 30 years and 7 leap days.
    ['2000-01-01T00:00:00Z', 946_684_800_000_000n],
    ['2000-02-29T00:00:00-00:00', 951_782_400_000_000n], // 59 days later
  ])('is read to the microsecond: %s', (text, microseconds) => {
    expect(readMoment(text)).toBe(microseconds);
  });

  it.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567Z', // finer than what is stored
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00 01:00', // a plus sign that was not written %2B
    '2026-01-01T00:00:00+0100',
    '1767225600',
    'now',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
  ])('is not read out of %j', (text) => {
    expect(readMoment(text)).toBeNull();
  });
});
