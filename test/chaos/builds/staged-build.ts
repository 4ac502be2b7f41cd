/** One build of the fixture company, really read, written and audited once, to be published as often as a campaign likes. */
import { join } from 'node:path';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { formatInstant } from '../../../src/time.ts';
import { readManifest } from '../../../src/snapshot/format/manifest.ts';
import type { AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import type { Clock } from '../../../src/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT, MIDNIGHT, SECOND, clockAt } from '../../snapshot/builder/build-harness.ts';
import { type BuildHarness, openBuildHarness } from '../../snapshot/builder/real-build.ts';
import { startCluster } from '../../support/cluster.ts';

/** Every object of the build by its name: tables, their blocks, what it was checked with, and its manifest. */
export type StagedFiles = ReadonlyMap<string, Buffer>;

let staged: Promise<StagedFiles> | undefined;

/** The files of one real build; every campaign of a run shares them. */
export function stageBuild(): Promise<StagedFiles> {
  staged ??= stage();
  return staged;
}

async function stage(): Promise<StagedFiles> {
  const cluster = await startCluster();
  try {
    const harness = await openBuildHarness('template_company', cluster);
    try {
      return await stageFrom(harness);
    } finally {
      await harness.close();
    }
  } finally {
    await cluster.stop();
  }
}

/** The same, built by a harness that has built nothing else. */
export async function stageFrom(harness: BuildHarness): Promise<StagedFiles> {
  await harness.build();
  return await readFiles(harness.root);
}

async function readFiles(root: string): Promise<StagedFiles> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const published = entries.filter((entry) => entry.isFile() && entry.parentPath.includes('/s/'));
  return readStaged(published.map(({ parentPath, name }) => join(parentPath, name)));
}

/** The same from files that were put aside, for another process. */
export async function readStaged(paths: readonly string[]): Promise<StagedFiles> {
  const files = paths.map(async (path) => [path.replace(/^.*\//, ''), await readFile(path)] as const);
  return new Map(await Promise.all(files));
}

/** Writes them below the folder, and gives where: another process reads them there. */
export async function putAside(files: StagedFiles, folder: string): Promise<string> {
  const path = join(folder, 'staged');
  await mkdir(path);
  for (const [name, bytes] of files) await writeFile(join(path, name), bytes);
  return path;
}

/** Between the moments of two builds of a campaign. */
export const BETWEEN_BUILDS = 60n * SECOND;

/** The moment that the `number`-th build of a campaign describes. */
export function momentOf(number: number): bigint {
  return MIDNIGHT + BigInt(number) * BETWEEN_BUILDS;
}

/** The staged files as the `number`-th build of an account: another moment, another nonce, the same bytes. */
function buildNumber(files: StagedFiles, number: number): AuditedBuild {
  const file = (name: string): Buffer => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`the staged build has no ${name}`);
    return bytes;
  };
  const manifest = readManifest(file('manifest.json'));
  const generated_at = momentOf(number);
  return {
    account_id: ACCOUNT,
    nonce: number.toString(16).padStart(32, '0'),
    night: formatInstant(generated_at).slice(0, 10),
    once: false,
    builder: 'chaos',
    generated_at,
    changes_from: generated_at,
    pg_snapshot: manifest.pg_snapshot,
    left_out: manifest.left_out,
    versions: manifest.versions,
    tables: manifest.tables.map(({ name, row_count }) => ({
      name,
      row_count,
      content: { ...contentOfBytes(file(`${name}.parquet`)), blocks: file(`${name}.blocks`) },
    })),
    files: manifest.files.map(({ name }) => ({ name, content: contentOfBytes(file(name)) })),
  };
}

/** Publishes it as a builder does: the log is read first. Unless it is lent a clock, its waits take no time. */
export async function publishNumber(store: Store, files: StagedFiles, number: number, lent?: Partial<Clock>) {
  const log = await readLog(store, ACCOUNT);
  const clock = { ...clockAt(momentOf(number) + SECOND), ...lent };
  return await publish(buildNumber(files, number), log, { store, clock });
}
