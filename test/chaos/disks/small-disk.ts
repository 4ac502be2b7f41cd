/** A small disk of a campaign's own, in memory, that can be filled to its last byte and given space again. */
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE_BYTES = 1024 * 1024;
const BLOCK_BYTES = 4096;

export interface SmallDisk extends AsyncDisposable {
  /** Where it is mounted. */
  readonly path: string;
  /** Fills it; gives the bytes that are left. */
  fill(): Promise<number>;
  /** The bytes that are left. */
  left(): Promise<number>;
  /** Gives the space back. */
  free(): Promise<void>;
}

/** What the machine lacks for one; undefined when it lacks nothing. */
export async function lacksSmallDisk(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root may mount a disk';
  try {
    await using disk = await makeSmallDisk(1);
    return disk.path === '' ? 'a mounted disk has no path' : undefined;
  } catch (error) {
    return `a disk in memory cannot be mounted: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
}

/** Mounts one of so many megabytes. */
export async function makeSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'crossfoot-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  const filler = join(path, 'filler');
  const left = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  return {
    path,
    left,
    async fill() {
      for (const bytes of [PIECE_BYTES, BLOCK_BYTES]) {
        const piece = Buffer.alloc(bytes, 'x');
        for (;;) {
          if ((await left()) < bytes) break;
          const full = await appendFile(filler, piece).then(
            () => false,
            () => true,
          );
          if (full) break;
        }
      }
      return await left();
    },
    free: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', path]);
      await rm(path, { recursive: true, force: true });
    },
  };
}
