/** Two joins of a snapshot's views, turned into ones that drop rows, are refused; the sweep tries every join. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { snapshotViews } from '../../support/snapshot-views.ts';
import { VIEWS, buildBroken, controlChecks, droppingJoins, refusalsOf } from './dropping-joins.ts';
import { type BuildHarness, openBuildHarness } from './real-build.ts';

const joins = await droppingJoins();

let harness: BuildHarness;
let owner: Client;
let checks: readonly SqlScript[];
beforeAll(async () => {
  [harness, checks] = await Promise.all([openBuildHarness(), controlChecks()]);
  owner = await harness.database.client('cf_owner');
});
afterAll(() => harness.close());

it('the test finds every join of the views that a snapshot is made of', async () => {
  const views = await snapshotViews();
  const texts = await Promise.all(views.map((view) => readFile(join(VIEWS, `${view}.sql`), 'utf8')));
  // Comments may speak of joins; the clauses are counted by their keyword at the start of a line.
  const clauses = texts.flatMap((text) => text.match(/^\s*(?:left |inner |cross |full )?join\b/gm) ?? []);
  expect(joins.length).toBe(clauses.length);
  expect(joins.length).toBeGreaterThan(15);
});

it.each([joins[0], joins.at(-1)].flatMap((dropping) => dropping ?? []))(
  'the audit refuses a snapshot when $view loses rows in "$what"',
  async (dropping) => {
    const { refusal, served } = await buildBroken(dropping, harness, owner, checks);
    expect(refusal).toMatch(refusalsOf(dropping.view));
    expect(served).toBeNull();
  },
);
