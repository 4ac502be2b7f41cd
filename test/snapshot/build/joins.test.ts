/** Each join of a snapshot's views, turned into one that drops rows: every one is refused, and nothing of it is published. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { snapshotViews } from '../../support/snapshot-views.ts';
import { chosen, readChecks } from '../audit/audited-files.ts';
import { AT, type BuildHarness, openBuildHarness } from './real-build.ts';

const VIEWS = new URL('../../../schema/views/', import.meta.url).pathname;
/** A join to a table, view or named subquery, by whatever name it goes afterwards. */
const JOIN = /\b(left )?join (?!lateral\b)([\w.]+)(?: (?!on\b|using\b)(\w+))?/g;
/** What a row is unfolded into. */
const UNFOLDED = /\bcross join lateral (.+) as (\w+ \([\w, ]+\))/g;

interface Dropping {
  readonly view: string;
  readonly what: string;
  /** The view as it is, and as it would lose rows. */
  readonly whole: string;
  readonly broken: string;
}

async function droppingJoins(): Promise<readonly Dropping[]> {
  const found: Dropping[] = [];
  for (const view of await snapshotViews()) {
    const whole = (await readFile(join(VIEWS, `${view}.sql`), 'utf8')).replace(
      'create view',
      'create or replace view',
    );
    const lose = (what: string, index: number, text: string, lossy: string): void => {
      const broken = `${whole.slice(0, index)}${lossy}${whole.slice(index + text.length)}`;
      found.push({ view, what, whole, broken });
    };
    for (const { 0: text, 1: left, 2: table = '', 3: alias = table, index } of whole.matchAll(JOIN)) {
      // A left join loses what it finds nothing for; a plain one is made to find nothing at all.
      const lossy =
        left === undefined
          ? `join (select * from ${table} where false) as ${alias}`
          : text.slice(left.length);
      lose(text, index, text, lossy);
    }
    for (const { 0: text, 1: rows, 2: alias, index } of whole.matchAll(UNFOLDED)) {
      lose(text, index, text, `cross join lateral (select * from ${rows} where false) as ${alias}`);
    }
  }
  return found;
}

const joins = await droppingJoins();

let harness: BuildHarness;
let owner: Client;
/** The checks that hold the files to the ledger's own tables: what these refuse, the whole audit refuses. */
let sums: readonly SqlScript[];
beforeAll(async () => {
  harness = await openBuildHarness();
  owner = await harness.database.client('cf_owner');
  const checks = await readChecks();
  const names = checks.map(({ name }) => name);
  sums = chosen(
    checks,
    names.filter((name) => name === '16-check-inputs' || name.includes('-check-control-')),
  );
});
afterAll(() => harness.close());

it('finds every join of the views that a snapshot is made of', async () => {
  const views = await snapshotViews();
  const texts = await Promise.all(views.map((view) => readFile(join(VIEWS, `${view}.sql`), 'utf8')));
  // Comments may speak of joins; the clauses are counted by their keyword at the start of a line.
  const clauses = texts.flatMap((text) => text.match(/^\s*(?:left |inner |cross |full )?join\b/gm) ?? []);
  expect(joins.length).toBe(clauses.length);
  expect(joins.length).toBeGreaterThan(15);
});

it.each(joins)('refuses a snapshot when $view loses rows in "$what"', async ({ view, whole, broken }) => {
  await owner.query(broken);
  try {
    const refusal: unknown = await harness.build({ checks: sums }).catch((error: unknown) => error);
    // Entries of an initiative that its own view has lost are noticed while they are read.
    const refused =
      view === 'initiatives' ? /^(audit_refused|initiative_missing)$/ : /^(audit_refused|table_lost_rows)$/;
    expect(isCrossfootError(refusal) ? refusal.code : refusal).toMatch(refused);
    expect(await harness.served()).toBeNull();
  } finally {
    await owner.query(whole);
  }
});

it('publishes once the views are whole again', async () => {
  expect((await harness.build({ at: AT })).outcome).toBe('published');
});
