import { describe, expect, it } from 'vitest';
import { shownPerson, whole } from '../../../src/serve/live/shown.ts';

const MAX = 9_007_199_254_740_991n; // 2^53 − 1

describe('a whole number', () => {
  it.each([0n, -1n, MAX, -MAX])('is shown exactly: %s', (value) => {
    expect(BigInt(whole(value))).toBe(value);
  });

  it.each([MAX + 1n, -MAX - 1n, 2n ** 63n - 1n])('is refused rather than rounded: %s', (value) => {
    expect(() => whole(value)).toThrow(RangeError);
  });
});

describe('a person', () => {
  it('is an id and a name, with an empty name where none is recorded, and null without a person', () => {
    expect(shownPerson(7n, 'Ada')).toEqual({ id: 7, name: 'Ada' });
    expect(shownPerson(7n, null)).toEqual({ id: 7, name: null });
    expect(shownPerson(null, null)).toBeNull();
  });
});
