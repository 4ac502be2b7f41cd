/** Where a target lies to the object store and to other targets. */
import { describe, expect, it } from 'vitest';
import { addressOf, overlapOf } from '../../src/deliveries/target-address.ts';

describe('a target', () => {
  it.each([
    ['s3://b/p', 's3://b/p', 'equal to'],
    ['s3://b/p/', 's3://b/p', 'equal to'],
    ['s3://b', 's3://b/', 'equal to'],
    ['s3://b/p/q', 's3://b/p', 'inside'],
    ['s3://b/p', 's3://b', 'inside'],
    ['s3://b', 's3://b/p', 'around'],
    ['s3://b/p', 's3://b/p/q/', 'around'],
    ['s3://b/pq', 's3://b/p', null],
    ['s3://b/p', 's3://b/pq', null],
    ['s3://c/p', 's3://b/p', null],
    ['file:///srv/a', 'file:///srv/a/', 'equal to'],
    ['file:///srv/a/b', 'file:///srv/a', 'inside'],
    ['file:///srv', 'file:///srv/a', 'around'],
    ['file:///srv/ab', 'file:///srv/a', null],
    ['file:///srv/%61', 'file:///srv/a', 'equal to'],
    ['file:///b/p', 's3://b/p', null],
  ])('%s lies to %s: %s', (target, other, overlap) => {
    expect(overlapOf(new URL(target), new URL(other))).toBe(overlap);
  });

  it('is stored without a slash at its end', () => {
    expect(addressOf(new URL('s3://b/p//'))).toBe('s3://b/p');
    expect(addressOf(new URL('s3://b'))).toBe('s3://b');
  });
});
