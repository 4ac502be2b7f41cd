import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { integer, text, timestamp } from '../../../src/serve/contract/shapes.ts';
import { shownAs, shownPerson, exactNumber } from '../../../src/serve/contract/shown.ts';

const MAX = 9_007_199_254_740_991n; // 2^53 − 1

describe('a whole number', () => {
  it.each([0n, -1n, MAX, -MAX])('is shown exactly: %s', (value) => {
    expect(BigInt(exactNumber(value))).toBe(value);
  });

  it.each([MAX + 1n, -MAX - 1n, 2n ** 63n - 1n])('is refused rather than rounded: %s', (value) => {
    expect(() => exactNumber(value)).toThrow(RangeError);
  });
});

describe('a person', () => {
  it('is an id and a name, with an empty name where none is recorded, and null without a person', () => {
    expect(shownPerson(7n, 'Ada')).toEqual({ id: 7, name: 'Ada' });
    expect(shownPerson(7n, null)).toEqual({ id: 7, name: null });
    expect(shownPerson(null, null)).toBeNull();
  });
});

const shape = z.strictObject({
  id: integer('Its id.'),
  title: text('Its title.').nullable(),
  started_at: timestamp('When it began.').nullable(),
  created_at: timestamp('First written.'),
  owner: text('Who owns it.'),
});

// 1,000,000 microseconds after 1970 began.
const record = { id: 7n, title: null, started_at: null, created_at: 1_000_000n, secret: 'not in the shape' };

it('a record is shown as its shape says: whole numbers as numbers, instants as text, nothing besides', () => {
  expect(shownAs(shape, record, { owner: 'Ada' })).toEqual({
    id: 7,
    title: null,
    started_at: null,
    created_at: '1970-01-01T00:00:01.000000Z',
    owner: 'Ada',
  });
});

it('a whole number that JSON cannot hold exactly is refused', () => {
  expect(() => shownAs(shape, { ...record, id: 2n ** 53n }, { owner: 'Ada' })).toThrow(RangeError);
});

it('a record without a field of the shape, or with one of another type, does not compile', () => {
  // @ts-expect-error: `owner` is missing.
  const missing = shownAs(shape, record, {});
  expect(missing.owner).toBeUndefined();
  // @ts-expect-error: a text is no whole number.
  const another = shownAs(shape, { ...record, title: 5n }, { owner: 'Ada' });
  expect(another.title).toBe(5);
});
