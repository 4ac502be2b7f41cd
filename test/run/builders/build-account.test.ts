/** What a process reads once for all the accounts that it builds. */
import { expect, it } from 'vitest';
import { readChecksBeside } from '../../../src/run/builders/build-account.ts';
import { SETS_BESIDE } from '../../../src/tables/file-sets.ts';

it.each(SETS_BESIDE)('the scripts that audit $name are read once for all builds', async (set) => {
  const [first, later] = [await readChecksBeside(), await readChecksBeside()].map((checks) =>
    (checks.get(set) ?? []).filter(({ name }) => !name.startsWith('12-')),
  );
  expect(first?.length).toBeGreaterThan(3);
  // A script of one table is the object that was read.
  for (const [at, script] of (first ?? []).entries()) expect(later?.[at]).toBe(script);
});
