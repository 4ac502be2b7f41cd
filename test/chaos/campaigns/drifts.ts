/**
 * A migration that this program was not told of changes a column that a reporting table reads, before a build. Where
 * PostgreSQL lets it, the build either gives the very same files, or publishes nothing and fails with `schema_drift`,
 * which names what is missing. Where the views make the declared type of the other one, it may be the audit that finds
 * the files to differ from the base tables.
 */
import type { Client } from 'pg';
import { type CrossfootError, isCrossfootError } from '../../../src/errors.ts';
import { AT, type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { type StartedCluster, startCluster } from '../../support/cluster.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type ReadColumn, TABLE_NAMES, beneathViews, columnsOf, otherTypes, retype } from '../drifts.ts';

const KINDS = [
  'renamed',
  'dropped',
  'dropped with its views',
  'retyped',
  'retyped beneath its views',
] as const;
type Kind = (typeof KINDS)[number];

/** How many columns are tried: most are held by a key, a trigger or an index, as all are by their views. */
const TRIES: Readonly<Record<Kind, number>> = {
  renamed: 1,
  dropped: 1,
  'dropped with its views': 1,
  retyped: 1,
  'retyped beneath its views': 25,
};

export const drifts: Campaign = {
  name: 'drifts',
  title: 'columns that a table reads renamed, dropped or of another type before a build',
  rows: ['F-13'],
  unit: 'changes',
  times: { short: 5, long: 3 * KINDS.length * TABLE_NAMES.length },
  run: driftAll,
};

async function driftAll({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const bad: string[] = [];
  const figures: Record<string, number> = {};
  const cluster = await startCluster();
  let done = 0;
  try {
    const expected = await digestsOf(cluster);
    for (; done < times && !signal.aborted; done += 1) {
      const kind = KINDS[done % KINDS.length] ?? 'renamed';
      // Eleven and fourteen share no divisor: every table meets every kind.
      const table = TABLE_NAMES[(done * 11) % TABLE_NAMES.length] ?? 'snapshot';
      const where = { said: `${table} ${kind}` };
      try {
        const end = await meet(cluster, { kind, table, chance, expected, where });
        figures[`${kind}, ${end}`] = (figures[`${kind}, ${end}`] ?? 0) + 1;
      } catch (error) {
        bad.push(violationText(where.said, error));
      }
      if (done % 10 === 9) say(`${done + 1} of ${times}`);
    }
  } finally {
    await cluster.stop();
  }
  return { done, bad, figures };
}

interface Drift {
  readonly kind: Kind;
  readonly table: string;
  readonly chance: Chance;
  /** The digests of the files of the ledger as it was. */
  readonly expected: string;
  /** Which column it was, for the sentence about it. */
  readonly where: { said: string };
}

async function meet(cluster: StartedCluster, drift: Drift): Promise<string> {
  const { kind, expected } = drift;
  await using harness = await harnessOn(cluster);
  const admin = await harness.database.admin();
  const column = await changeOne(admin, drift);
  if (typeof column === 'string') return column;
  const error = await harness.build().then(
    () => null,
    (cause: unknown) => cause,
  );
  const served = await harness.served();
  if (error === null) {
    if (digests(served?.tables) !== expected) throw new Error('other files were published');
    return 'the same files';
  }
  if (served !== null) throw new Error('the build failed, and something is served');
  if (kind === 'retyped beneath its views' && isCrossfootError(error, 'audit_refused')) return error.code;
  if (!isCrossfootError(error, 'schema_drift')) {
    throw new Error(violationText('it was not called drift', error), { cause: error });
  }
  if (!kind.startsWith('retyped')) holdNamed(error, column);
  return error.code;
}

/** Changes a column of the table; says so if PostgreSQL refuses it. */
async function changeOne(
  admin: Client,
  { kind, table, chance, where }: Omit<Drift, 'expected'>,
): Promise<ReadColumn | string> {
  const columns = await columnsOf(admin, table);
  let refused: string | null = null;
  for (let tried = 0; tried < TRIES[kind]; tried += 1) {
    const column = chance.oneOf(columns);
    const change = changeOf(kind, column, chance);
    where.said = `${table} ${kind}: ${change}`;
    refused = await apply(admin, kind, change);
    if (refused === null) return column;
  }
  return `refused by PostgreSQL ${refused}`;
}

function holdNamed(error: CrossfootError, { relation, column }: ReadColumn): void {
  // What hangs on a column may be gone with it: then that is what is missed first.
  const named = error.message.includes(column) || /relation "?(?:reporting|ledger)\./.test(error.message);
  if (!named) throw new Error(`${relation}.${column} is not named: ${error.message}`);
}

function changeOf(kind: Kind, read: ReadColumn, chance: Chance): string {
  const { relation, column, type } = read;
  switch (kind) {
    case 'renamed':
      return `alter table ${relation} rename column ${column} to drifted`;
    case 'dropped':
      return `alter table ${relation} drop column ${column}`;
    case 'dropped with its views':
      return `alter table ${relation} drop column ${column} cascade`;
    case 'retyped':
    case 'retyped beneath its views':
      return retype(read, chance.oneOf(otherTypes(type)));
  }
}

/** The code that PostgreSQL refuses it with; null when it is done. */
async function apply(admin: Client, kind: Kind, change: string): Promise<string | null> {
  try {
    await (kind === 'retyped beneath its views' ? beneathViews(admin, change) : admin.query(change));
    return null;
  } catch (error) {
    await admin.query('rollback');
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

async function harnessOn(cluster: StartedCluster): Promise<BuildHarness & AsyncDisposable> {
  const harness = await openBuildHarness('template_company', cluster);
  return { ...harness, [Symbol.asyncDispose]: () => harness.close() };
}

async function digestsOf(cluster: StartedCluster): Promise<string> {
  await using harness = await harnessOn(cluster);
  await harness.build({ at: AT });
  return digests((await harness.served())?.tables);
}

function digests(tables: readonly { readonly name: string; readonly sha256: string }[] = []): string {
  return tables.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n');
}
