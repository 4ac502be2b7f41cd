/** The views of a snapshot, each join in turn changed to drop rows, and the build that has to refuse them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { isCrossfootError } from '../../../src/errors.ts';
import type { SqlScript } from '../../../src/sql-scripts.ts';
import { snapshotViews } from '../../support/snapshot-views.ts';
import { chosen, readChecks } from '../audit/audited-files.ts';
import type { BuildHarness, Served } from './real-build.ts';

export const VIEWS = fileURLToPath(new URL('../../../schema/views/', import.meta.url));
/** A join to a table, view or named subquery, by whatever name it goes afterwards. */
const JOIN = /\b(left )?join (?!lateral\b)([\w.]+)(?: (?!on\b|using\b)(\w+))?/g;
/** What a row is unfolded into. */
const UNFOLDED = /\bcross join lateral (.+) as (\w+ \([\w, ]+\))/g;

export interface DroppingJoin {
  readonly view: string;
  readonly what: string;
  /** The view as it is, and as it would lose rows. */
  readonly sound: string;
  readonly broken: string;
}

export async function droppingJoins(): Promise<readonly DroppingJoin[]> {
  const found: DroppingJoin[] = [];
  for (const view of await snapshotViews()) {
    const sound = (await readFile(join(VIEWS, `${view}.sql`), 'utf8')).replace(
      'create view',
      'create or replace view',
    );
    const lose = (what: string, index: number, text: string, lossy: string): void => {
      const broken = `${sound.slice(0, index)}${lossy}${sound.slice(index + text.length)}`;
      found.push({ view, what, sound, broken });
    };
    for (const { 0: text, 1: left, 2: table = '', 3: alias = table, index } of sound.matchAll(JOIN)) {
      // A left join loses what it finds nothing for; a plain one is made to find nothing at all.
      const lossy =
        left === undefined
          ? `join (select * from ${table} where false) as ${alias}`
          : text.slice(left.length);
      lose(text, index, text, lossy);
    }
    for (const { 0: text, 1: rows, 2: alias, index } of sound.matchAll(UNFOLDED)) {
      lose(text, index, text, `cross join lateral (select * from ${rows} where false) as ${alias}`);
    }
  }
  return found;
}

/** The checks that hold the files to the ledger's own tables: what these refuse, the whole audit refuses. */
export async function controlChecks(): Promise<readonly SqlScript[]> {
  const checks = await readChecks();
  const names = checks.map(({ name }) => name);
  return chosen(
    checks,
    names.filter((name) => name === '16-check-inputs' || name.includes('-check-control-')),
  );
}

/** Builds with the broken view and makes it whole again; gives how the build was refused, and what is then served. */
export async function buildBroken(
  { sound, broken }: DroppingJoin,
  harness: BuildHarness,
  owner: Client,
  checks: readonly SqlScript[],
): Promise<{ readonly refusal: unknown; readonly served: Served | null }> {
  await owner.query(broken);
  try {
    const refusal: unknown = await harness.build({ checks }).catch((error: unknown) => error);
    return { refusal: isCrossfootError(refusal) ? refusal.code : refusal, served: await harness.served() };
  } finally {
    await owner.query(sound);
  }
}

/** Entries of an initiative that its own view has lost are noticed while they are read. */
export function refusalsOf(view: string): RegExp {
  return view === 'initiatives'
    ? /^(audit_refused|initiative_missing)$/
    : /^(audit_refused|table_lost_rows)$/;
}
