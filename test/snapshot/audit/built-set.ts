/** Real builds of the company with a set of files beside the reporting tables, and audits of the set after a change. */
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readControlTotals } from '../../../src/ledger/moment/control.ts';
import { type AuditedTable, auditSnapshot } from '../../../src/snapshot/audit/audit.ts';
import { atMoment } from '../../../src/snapshot/builder/build-moment.ts';
import type { SetChecks } from '../../../src/snapshot/builder/build-tools.ts';
import { encodeControl } from '../../../src/snapshot/builder/control-file.ts';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { decodeManifest } from '../../../src/snapshot/format/manifest.ts';
import { sha256Sums } from '../../../src/snapshot/format/sha256-sums.ts';
import { findDamage } from '../../../src/snapshot/keep/find-damage.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import type { FileSet } from '../../../src/tables/file-set.ts';
import type { SetBeside } from '../../../src/tables/file-sets.ts';
import { connectDuckDb } from '../../parquet/read-back.ts';
import { withFolder } from '../../parquet/temporary-folder.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { clockAt, readerAt } from '../builder/build-harness.ts';
import { AT, type BuildHarness } from '../builder/real-build.ts';

export type PublishedBuild = Awaited<ReturnType<typeof buildAlone>>;

/** A build into a store of its own, and its manifest. */
export async function buildAlone(harness: BuildHarness, checksBeside?: SetChecks) {
  const objects = new Map<string, Uint8Array>();
  const store = memoryStore(objects);
  await harness.build({ store, checksBeside });
  const reader = readerAt(store, () => AT);
  const snapshot = await reader.latest(1n);
  const entry = (await readLog(store, 1n)).entries[0];
  if (snapshot === null || entry === undefined) throw new Error('nothing was published');
  return { objects, store, reader, snapshot, entry };
}

export function bytesOf({ objects, entry }: PublishedBuild, file: string): Buffer {
  return Buffer.from(objects.get(`${entry.prefix}/${file}`) ?? []);
}

/** Expects the set in the stored manifest, and the reporting tables and files as in a build without it. */
export function expectBeside(set: SetBeside, built: PublishedBuild, without: PublishedBuild): void {
  const stored = decodeManifest(bytesOf(built, 'manifest.json'), { ...built.entry, account_id: 1n });
  expect(stored[set.name]).toEqual(built.snapshot[set.name]);
  expect(without.snapshot).not.toHaveProperty(set.name);
  for (const shared of ['tables', 'files'] as const) {
    expect(built.snapshot[shared]).toEqual(without.snapshot[shared]);
  }
  expect(sha256Sums(built.snapshot)).toBe(sha256Sums(without.snapshot));
}

/** What a scrub finds damaged after one byte of each of the files has changed. */
export async function damageFound(
  built: PublishedBuild,
  files: readonly string[],
): Promise<readonly string[]> {
  const { objects, entry } = built;
  const stored = new Map(objects);
  for (const file of files) {
    const bytes = bytesOf(built, file);
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    stored.set(`${entry.prefix}/${file}`, bytes);
  }
  const keys = [...objects.keys()].filter((key) => key.startsWith(entry.prefix));
  const tools = { store: memoryStore(stored), clock: clockAt(0n), onRead: async () => undefined };
  const { damaged, strange } = await findDamage({ account_id: 1n, entry, keys }, tools);
  expect(strange).toEqual([]);
  return damaged;
}

/** The rows of the last statement; only temporary tables may be made. */
export async function query(sql: string) {
  const connection = await connectDuckDb();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}

/** Writes the files of the build as the spool has them. */
export async function writeFiles(
  directory: string,
  { folder }: FileSet,
  built: PublishedBuild,
): Promise<void> {
  await mkdir(join(directory, folder));
  for (const key of built.objects.keys()) {
    const file = key.slice(built.entry.prefix.length + 1);
    if (!key.startsWith(built.entry.prefix) || !/\.(?:parquet|companion|json)$/.test(file)) continue;
    const path = join(directory, file.replace(/^(.*)\.companion$/, `${folder}$1.parquet`));
    await writeFile(path, bytesOf(built, file));
  }
}

interface Change {
  readonly table: string;
  /** The rows in place of those of the table, which is `file` there. */
  readonly select: string;
}

/** What a build wrote for its set: described once, as each change rewrites one of its files. */
interface Described {
  /** The set's own totals, straight from the ledger; null if it has none. */
  readonly totals: Buffer | null;
  readonly control: Omit<AuditedTable, 'name' | 'rows'>;
  readonly tables: readonly AuditedTable[];
}

const known = new WeakMap<PublishedBuild, Promise<Described>>();

async function describeSet(harness: BuildHarness, set: FileSet, built: PublishedBuild): Promise<Described> {
  return await withFolder(async (directory) => {
    await writeFiles(directory, set, built);
    const totals = set.control === null ? null : await totalsOf(harness, set.control);
    const tables = set.tables.map(({ name }) => `${set.folder}${name}`);
    const counted = await query(
      tables
        .map(
          (name) =>
            `select '${name}' as name, count(*)::int as rows from read_parquet('${join(directory, name)}.parquet')`,
        )
        .join(' union all '),
    );
    const rowsOf = new Map(counted.map(({ name, rows }) => [name, Number(rows)]));
    return {
      totals,
      control: await describedFile(join(directory, 'control.json')),
      tables: await Promise.all(
        tables.map(async (name) => ({
          name,
          rows: rowsOf.get(name) ?? 0,
          ...(await describedFile(join(directory, `${name}.parquet`))),
        })),
      ),
    };
  });
}

async function totalsOf(harness: BuildHarness, folder: string): Promise<Buffer> {
  const { signal } = new AbortController();
  const pieces = await atMoment({ account_id: 1n, at: AT, signal }, harness, (client) =>
    Array.fromAsync(encodeControl(readControlTotals(client, { account_id: 1n, folder }))),
  );
  return Buffer.concat(pieces);
}

async function describedFile(path: string) {
  const bytes = await readFile(path);
  return { size_bytes: bytes.length, sha256: sha256Hex(bytes) };
}

/** The checks that refuse the set after the change. */
export async function refusing(
  harness: BuildHarness,
  set: FileSet,
  built: PublishedBuild,
  checks: SetChecks,
  { table, select }: Change,
): Promise<readonly string[]> {
  const described = known.get(built) ?? describeSet(harness, set, built);
  known.set(built, described);
  const { totals, control, tables } = await described;
  return await withFolder(async (directory) => {
    await writeFiles(directory, set, built);
    if (totals !== null) await writeFile(join(directory, set.folder, 'control.json'), totals);
    const name = `${set.folder}${table}`;
    const path = join(directory, `${name}.parquet`);
    const [counted] = await query(
      `create temp table file as from read_parquet('${path}'); copy (${select}) to '${path}' (format parquet);
       select count(*)::int as rows from (${select})`,
    );
    const changed = { name, rows: Number(counted?.['rows']), ...(await describedFile(path)) };
    const description = describeTables();
    await writeFile(join(directory, 'schema.json'), encodeCanonical(description));
    const report = await auditSnapshot({
      directory,
      tables: tables.map((each) => (each.name === name ? changed : each)),
      description,
      control,
      snapshot: { snapshot_id: built.snapshot.snapshot_id, account_id: 1n, generated_at: AT, left_out: null },
      checks: checks.get(set) ?? [],
      tempDirectory: join(directory, 'temp'),
      memory_mb: 160,
      read: (file) => createReadStream(file),
      signal: new AbortController().signal,
    });
    const refused = report.checks.filter(({ passed }) => !passed).map(({ name: check }) => check);
    expect(report.passed).toBe(refused.length === 0);
    return refused;
  });
}
