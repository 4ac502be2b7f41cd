/**
 * Creates the directories of the folder store so that they survive a power cut: a new name is durable only after the directory
 * that contains it was flushed.
 */
import { basename, dirname, join, resolve } from 'node:path';
import type * as promises from 'node:fs/promises';
import { CrossfootError } from '../errors.ts';

/** The part of `node:fs/promises` that the folder store uses. It is an argument, so that tests can let any call fail. */
export type FileSystem = Pick<
  typeof promises,
  'constants' | 'link' | 'mkdir' | 'open' | 'readdir' | 'realpath' | 'unlink'
>;

/** The owner may write; the group, such as a backup, may read; others may do neither. */
const DIRECTORY_MODE = 0o750;

export interface Directories {
  /** The real path of the root, without symbolic links. */
  readonly root: string;
  /** Creates `path` below the root and all directories above it, durably. Throws if one of them is a symbolic link. */
  ensure(path: string): Promise<void>;
  /** Makes the names in a directory durable. Do not retry a failed flush: it may then succeed although names are lost. */
  flush(path: string): Promise<void>;
}

/** Opens the directories below the root; creates the root if it is missing. */
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
    // Flush only if the root was created here: the folder above an existing root may not be readable.
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
    // Flush an existing directory too: the process that created it may have died before its flush.
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

/** The real path of `wanted`, also if some of its folders do not exist yet. */
export async function realPathOf(fs: FileSystem, wanted: string): Promise<string> {
  const path = resolve(wanted);
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    return join(await realPathOf(fs, dirname(path)), basename(path));
  }
}

/** The directory for half-written files. It is on the objects' file system, because a hard link cannot leave it. */
export function temporaryDirectory(root: string): string {
  return join(root, 'tmp');
}

/** The error for a symbolic link, or another special file, in the store. */
export function refusedLink(): CrossfootError {
  return new CrossfootError(
    'store_object_refused',
    'store: the folder has a symbolic link or special file.',
    {
      hint: 'Remove it: the store itself creates only directories and plain files.',
    },
  );
}

/** True for a file system error with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
