import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { integer, text, timestamp } from '../../../src/serve/live/shapes.ts';
import { shownAs } from '../../../src/serve/live/shown.ts';

const shape = z.strictObject({
  id: integer('Its id.'),
  title: text('Its title.').nullable(),
  started_at: timestamp('When it began.').nullable(),
  created_at: timestamp('First written.'),
  owner: text('Who owns it.'),
});

// 1,000,000 microseconds after 1970 began.
const record = { id: 7n, title: null, started_at: null, created_at: 1_000_000n, secret: 'not in the shape' };

test('a record is shown as its shape says: whole numbers as numbers, instants as text, nothing besides', () => {
  expect(shownAs(shape, record, { owner: 'Ada' })).toEqual({
    id: 7,
    title: null,
    started_at: null,
    created_at: '1970-01-01T00:00:01.000000Z',
    owner: 'Ada',
  });
});

test('a whole number that JSON cannot hold exactly is refused', () => {
  expect(() => shownAs(shape, { ...record, id: 2n ** 53n }, { owner: 'Ada' })).toThrow(RangeError);
});

test('a record without a field of the shape, or with one of another type, does not compile', () => {
  // @ts-expect-error: nobody gives `owner`.
  const missing = shownAs(shape, record, {});
  expect(missing.owner).toBeUndefined();
  // @ts-expect-error: a text is no whole number.
  const another = shownAs(shape, { ...record, title: 5n }, { owner: 'Ada' });
  expect(another.title).toBe(5);
});
