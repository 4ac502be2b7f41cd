/** What a process reads once for all the accounts that it builds. */
import { expect, it } from 'vitest';
import { auditsOfProcess } from '../../../src/run/builders/build-account.ts';
import { SETS_BESIDE } from '../../../src/tables/file-sets.ts';

it('the scripts of all audits are read once for all builds', async () => {
  const [first, later] = [await auditsOfProcess(), await auditsOfProcess()];
  expect(later).toBe(first);
  expect(first.checks.length).toBeGreaterThan(40);
  for (const set of SETS_BESIDE) expect(first.checksBeside?.get(set)?.length).toBeGreaterThan(3);
});
