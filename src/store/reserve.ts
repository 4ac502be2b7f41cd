/**
 * A reserve file in a folder store, for commands that free space: before a snapshot is deleted, a mark and a probe must be
 * written. The file is deleted when the disk is full, and created again once there is space.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './directories.ts';

/** Self-test, marks and probes need a tenth; an embedded PostgreSQL on the same disk needs the rest to start. */
export const RESERVE_BYTES = 4 * 1024 ** 2;
/** Create the reserve only if so much is free, so that the reserve itself does not fill the disk. */
const FREE_TO_KEEP_BYTES = 4 * RESERVE_BYTES;
/** After a command that deleted the reserve, create it again if at least this much is free. */
const FREE_TO_GIVE_BACK_BYTES = RESERVE_BYTES / 4;
/** Share of the free space to use, because a file system also needs space for metadata. */
const SHARE = 0.9;
const FILE_MODE = 0o640;

export interface ReserveFolder {
  readonly fs: Pick<typeof promises, 'statfs' | 'unlink' | 'writeFile'>;
  /** The folder of the store. */
  readonly root: string;
  readonly chanceBytes: (size: number) => Uint8Array;
}

/** Deletes the reserve if the disk is full; returns whether it did. */
export async function giveUpReserve(folder: ReserveFolder): Promise<boolean> {
  const { fs, root } = folder;
  if ((await freeBytes(folder)) >= RESERVE_BYTES) return false;
  await fs.unlink(pathOf(root)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  return true;
}

/** Creates the reserve if it is missing and there is space; after `giveUpReserve` a smaller one is enough. Failures are ignored. */
export async function keepReserve(folder: ReserveFolder, givenUp = false): Promise<void> {
  const { fs, root, chanceBytes } = folder;
  try {
    const free_bytes = await freeBytes(folder);
    if (free_bytes < (givenUp ? FREE_TO_GIVE_BACK_BYTES : FREE_TO_KEEP_BYTES)) return;
    const size_bytes = Math.min(RESERVE_BYTES, Math.floor(free_bytes * SHARE));
    // Random bytes: a file system with compression would store zeros in no space.
    await fs.writeFile(pathOf(root), chanceBytes(size_bytes), { flag: 'wx', mode: FILE_MODE });
  } catch (error) {
    if (hasCode(error, 'ENOSPC')) await fs.unlink(pathOf(root)).catch(() => undefined);
  }
}

async function freeBytes({ fs, root }: ReserveFolder): Promise<number> {
  try {
    const { bavail, bsize } = await fs.statfs(root);
    return bavail * bsize;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0; // the store does not exist yet
    throw error;
  }
}

function pathOf(root: string): string {
  return join(root, 'reserve');
}
