/**
 * Cleans up a folder store: half-written files of dead processes, and empty directories of deleted builds and
 * comparisons. A bucket has neither.
 */
import { join } from 'node:path';
import type * as promises from 'node:fs/promises';
import { hasCode, temporaryDirectory } from './directories.ts';
import { DAY, HOUR, type Instant } from '../instant.ts';

/** Age of a half-written file before it is deleted: no upload takes so long. */
const TEMPORARY_KEPT = DAY;
/** Age of an empty directory before it is deleted, as for an abandoned build: a running build's directory may be empty. */
const EMPTY_KEPT = 48n * HOUR;
/** The folders of an account whose directories are emptied: builds and comparisons. */
const EMPTIED = ['s', 'd'];

/** The part of `node:fs/promises` that sweeping uses. */
export type SweepFileSystem = Pick<typeof promises, 'lstat' | 'readdir' | 'rmdir' | 'unlink'>;

interface SweepJob {
  readonly fs: SweepFileSystem;
  readonly root: string;
  /** By the clock of the folder's file system. */
  readonly now: Instant;
  readonly dryRun: boolean;
}

/** Yields the paths that may be deleted. Each is deleted before the next is yielded, except in a dry run. */
export async function* sweepFolder(job: SweepJob): AsyncGenerator<string> {
  const temporary = temporaryDirectory(job.root);
  for (const name of await namesIn(job.fs, temporary)) {
    const path = join(temporary, name);
    if (!(await isOlder(job, path, TEMPORARY_KEPT))) continue;
    yield path;
    if (!job.dryRun) await ignoring('ENOENT', job.fs.unlink(path));
  }
  const accounts = join(job.root, 'v1/a');
  for (const account of await namesIn(job.fs, accounts)) {
    for (const kind of EMPTIED) yield* sweepEmpty(job, join(accounts, account, kind));
  }
}

async function* sweepEmpty(job: SweepJob, folder: string): AsyncGenerator<string> {
  for (const name of await namesIn(job.fs, folder)) {
    const path = join(folder, name);
    if ((await namesIn(job.fs, path)).length > 0 || !(await isOlder(job, path, EMPTY_KEPT))) continue;
    yield path;
    // The system refuses to remove a directory that was filled meanwhile.
    if (!job.dryRun) await ignoring('ENOTEMPTY', job.fs.rmdir(path));
  }
}

async function isOlder({ fs, now }: SweepJob, path: string, age: bigint): Promise<boolean> {
  const found = await ignoring('ENOENT', fs.lstat(path, { bigint: true }));
  return found !== null && now - found.mtimeNs / 1000n > age;
}

/** The names in a directory; none if it does not exist or is not a directory. */
async function namesIn(fs: SweepFileSystem, path: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

async function ignoring<T>(code: string, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, code)) return null;
    throw error;
  }
}
