/**
 * A disk with a file system of its own (ext4, in a file, by a loop device), whose power can be cut: what had reached the
 * disk is there afterwards, what was only in the memory of the machine is not.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SIZE_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

/** How the file system treats data whose names it writes down: first the data, or in any order. */
export type Mode = 'ordered' | 'writeback';

export interface LoopDisk extends AsyncDisposable {
  /** Where it is mounted. */
  readonly path: string;
  /** What stands on the disk at this instant, as a file: no process may run between the caller and the copy. */
  cut(): string;
}

/** What the machine lacks for one; undefined when it lacks nothing. */
export async function lacksLoopDisk(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root may mount a disk';
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices';
  try {
    await run('mkfs.ext4', ['-V']);
    return undefined;
  } catch {
    return 'there is no mkfs.ext4';
  }
}

/** Makes an empty disk in the folder, mounted. */
export async function makeDisk(folder: string, mode: Mode): Promise<LoopDisk> {
  const image = join(folder, `${randomUUID()}.img`);
  await writeFile(image, '');
  await truncate(image, SIZE_BYTES);
  await run('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0', image]);
  return await mountDisk(image, mode);
}

/** Mounts a disk as it stood when its power was cut: the file system repairs itself from its journal. */
export async function mountDisk(image: string, mode: Mode): Promise<LoopDisk> {
  const path = `${image}.mounted`;
  await mkdir(path);
  await run('mount', ['-t', 'ext4', '-o', `loop,data=${mode},noauto_da_alloc`, image, path]);
  return {
    path,
    cut() {
      const copy = `${image}.${randomUUID()}`;
      // Read from the file behind the device: what the mounted file system still holds in memory is not in it.
      execFileSync('cp', ['--sparse=always', image, copy]);
      return copy;
    },
    async [Symbol.asyncDispose]() {
      await run('umount', [path]);
      await rm(path, { recursive: true });
      await rm(image);
    },
  };
}
