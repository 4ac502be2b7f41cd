/**
 * Directories of the folder store, made so that they survive a power cut: a new name is durable only once the
 * directory that holds it has been flushed.
 */
import { basename, dirname, join, resolve } from 'node:path';
import type * as promises from 'node:fs/promises';
import { CrossfootError } from '../errors.ts';

/** The part of `node:fs/promises` that the folder store uses; an argument, so that tests can fail any call. */
export type FileSystem = Pick<
  typeof promises,
  'constants' | 'link' | 'mkdir' | 'open' | 'readdir' | 'realpath' | 'unlink'
>;

/** Readable by the group, which may be a backup; by nobody else. */
const DIRECTORY_MODE = 0o750;

export interface Directories {
  /** The real path of the root: every path below it is compared with this one. */
  readonly root: string;
  /** Makes `path` below the root and everything above it, durably; a symbolic link on the way is refused. */
  ensure(path: string): Promise<void>;
  /** Flushes the names in a directory. A failure is final: a second flush may claim success for lost names. */
  flush(path: string): Promise<void>;
}

/** Makes the root if needed and gives the directories below it. */
export async function openDirectories(fs: FileSystem, wanted: string): Promise<Directories> {
  await makeRoot(wanted);
  const root = await fs.realpath(wanted);
  const durable = new Set([root]);

  async function makeRoot(path: string): Promise<void> {
    try {
      await fs.mkdir(path, DIRECTORY_MODE);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return;
      if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
      await makeRoot(dirname(path));
      await fs.mkdir(path, DIRECTORY_MODE);
    }
    // Only what was made here is flushed: the folder above an existing root may be one we cannot read.
    await flush(dirname(path));
  }

  async function ensure(path: string): Promise<void> {
    if (durable.has(path)) return;
    await ensure(dirname(path));
    try {
      await fs.mkdir(path, DIRECTORY_MODE);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    if ((await fs.realpath(path)) !== path) throw refusedLink();
    // Also when it was there already: whoever made it may have died before this flush.
    await flush(dirname(path));
    durable.add(path);
  }

  async function flush(path: string): Promise<void> {
    const handle = await fs.open(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return { root, ensure, flush };
}

/** The real path that `wanted` has, or will have once the folders that are missing are made. */
export async function realPathOf(fs: FileSystem, wanted: string): Promise<string> {
  const path = resolve(wanted);
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    return join(await realPathOf(fs, dirname(path)), basename(path));
  }
}

/** The directory of half-written files, on the same file system as the objects because a link cannot leave it. */
export function temporaryDirectory(root: string): string {
  return join(root, 'tmp');
}

/** What is thrown when a symbolic link, or anything else that is not a plain file, stands in the store. */
export function refusedLink(): CrossfootError {
  return new CrossfootError(
    'store_object_refused',
    'store: a symbolic link or special file stands in the folder.',
    {
      hint: 'Somebody put it there: the store itself makes only directories and plain files. Remove it.',
    },
  );
}

/** True for a file system error with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
