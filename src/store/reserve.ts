/**
 * A reserve file in a folder store, for commands that free space: even these must first write a mark and a probe. If the disk is
 * full, such a command deletes the reserve to get this space. The file is created again once there is space.
 */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { FULL_DISK_CODES } from '../full-disk.ts';
import { hasCode } from './directories.ts';

/** The size. Self-test, marks and probes need a tenth; an embedded PostgreSQL on the same disk needs the rest to start. */
export const RESERVE_BYTES = 4 * 1024 ** 2;
/** The reserve is created only if this much is free, so that the reserve itself does not fill the disk. */
const FREE_TO_KEEP_BYTES = 4 * RESERVE_BYTES;
/** A command that deleted the reserve creates it again at its end if at least this much is free. */
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

/** Deletes the reserve if less than its size is free on the disk; returns true in that case, even if there was no reserve. */
export async function giveUpReserve(folder: ReserveFolder): Promise<boolean> {
  const { fs, root } = folder;
  if ((await freeBytes(folder)) >= RESERVE_BYTES) return false;
  await fs.unlink(pathOf(root)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  return true;
}

/**
 * Creates the reserve if it is missing and there is space. After `giveUpReserve`, less free space is enough, and the reserve may
 * be smaller. Failures are ignored.
 */
export async function keepReserve(folder: ReserveFolder, givenUp = false): Promise<void> {
  const { fs, root, chanceBytes } = folder;
  try {
    const free_bytes = await freeBytes(folder);
    if (free_bytes < (givenUp ? FREE_TO_GIVE_BACK_BYTES : FREE_TO_KEEP_BYTES)) return;
    const size_bytes = Math.min(RESERVE_BYTES, Math.floor(free_bytes * SHARE));
    // Random bytes: a file system with compression would store zeros in no space.
    await fs.writeFile(pathOf(root), chanceBytes(size_bytes), { flag: 'wx', mode: FILE_MODE });
  } catch (error) {
    if ([...FULL_DISK_CODES].some((code) => hasCode(error, code)))
      await fs.unlink(pathOf(root)).catch(() => undefined);
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
