/** Each join of a snapshot's views, changed to drop rows: the build refuses every change, and publishes nothing. */
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { buildBroken, controlChecks, droppingJoins, refusalsOf } from './dropping-joins.ts';
import { AT, type BuildHarness, openBuildHarness } from './real-build.ts';

const joins = await droppingJoins();

let harness: BuildHarness;
let owner: Client;
let checks: readonly SqlScript[];
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), controlChecks()]);
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

it.each(joins)('the audit refuses a snapshot when $view loses rows in "$what"', async (dropping) => {
  const { refusal, served } = await buildBroken(dropping, harness, owner, checks);
  expect(refusal).toMatch(refusalsOf(dropping.view));
  expect(served).toBeNull();
});

it('a build publishes once the views are whole again', async () => {
  expect((await harness.build({ at: AT })).outcome).toBe('published');
});
