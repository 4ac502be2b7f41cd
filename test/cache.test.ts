import { expect, it } from 'vitest';
import { boundedMap } from '../src/cache.ts';

it('keeps so many entries, and of more those that were asked for last', () => {
  const map = boundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});
