/**
 * Space held back in a folder store for the commands that free space: to delete a snapshot, a mark and a probe must be
 * written first. The file is given up when the disk is full, and made again once there is space.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './directories.ts';

/** The self-test, marks and probes take a tenth; an embedded PostgreSQL on the same disk needs the rest to start. */
export const RESERVE_BYTES = 4 * 1024 ** 2;
/** The reserve must not be what fills the disk. */
const FREE_TO_KEEP_BYTES = 4 * RESERVE_BYTES;
/** What a command that freed nothing has left of the reserve is held back again. */
const FREE_TO_GIVE_BACK_BYTES = RESERVE_BYTES / 4;
/** Of the space that is left: a file system writes down where a file stands, too. */
const SHARE = 0.9;
const FILE_MODE = 0o640;

export interface ReserveFolder {
  readonly fs: Pick<typeof promises, 'statfs' | 'unlink' | 'writeFile'>;
  /** The folder of the store. */
  readonly root: string;
  readonly chanceBytes: (size: number) => Uint8Array;
}

/** Gives the reserve up if the disk is full; says whether it did. */
export async function giveUpReserve(folder: ReserveFolder): Promise<boolean> {
  const { fs, root } = folder;
  if ((await freeBytes(folder)) >= RESERVE_BYTES) return false;
  await fs.unlink(pathOf(root)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  return true;
}

/** Makes the reserve if it is absent and there is space for it; one that was given up is made from less. Best effort: nothing fails for want of a reserve. */
export async function keepReserve(folder: ReserveFolder, givenUp = false): Promise<void> {
  const { fs, root, chanceBytes } = folder;
  try {
    const free_bytes = await freeBytes(folder);
    if (free_bytes < (givenUp ? FREE_TO_GIVE_BACK_BYTES : FREE_TO_KEEP_BYTES)) return;
    const size_bytes = Math.min(RESERVE_BYTES, Math.floor(free_bytes * SHARE));
    // Random: a file system that compresses would hold back nothing for zeros.
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
    if (hasCode(error, 'ENOENT')) return 0; // there is no store yet
    throw error;
  }
}

function pathOf(root: string): string {
  return join(root, 'reserve');
}
