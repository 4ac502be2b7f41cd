/** Removes the spools of killed builds of all accounts, because they may fill a disk. */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../store/directories.ts';
import { isDead, OWNER_FILE } from './owner.ts';
import { DAY, type Instant, toMs } from '../../instant.ts';

/** The folder of an account's last refused build, kept for inspection. */
export const REFUSED = 'refused';
/** A build takes minutes, so a spool of this age was left by a killed build, on this machine or another. */
const ABANDONED_MS = toMs(DAY);

type SweepFileSystem = Pick<typeof promises, 'lstat' | 'readdir' | 'readFile' | 'rm'>;

interface SpoolSweep {
  readonly fs: SweepFileSystem;
  /** The folder of all spools. */
  readonly root: string;
  readonly now: Instant;
  readonly dryRun: boolean;
}

/** Yields the folders of killed builds. Each is removed before the next is yielded, except in a dry run. */
export async function* sweepSpools({ fs, root, now, dryRun }: SpoolSweep): AsyncGenerator<string> {
  for (const account of await namesIn(fs, root)) {
    const folder = join(root, account);
    // Do not follow a link: it may lead anywhere.
    if (!/^[1-9]\d*$/.test(account) || !(await fs.lstat(folder)).isDirectory()) continue;
    for (const name of await namesIn(fs, folder)) {
      const path = join(folder, name);
      if (name === REFUSED || !(await isLeftBehind(fs, path, now))) continue;
      yield path;
      if (!dryRun) await fs.rm(path, { recursive: true, force: true });
    }
  }
}

/** Each folder of a refused build that is kept for inspection, and the bytes of its files. */
export async function* refusedFolders(
  fs: Pick<SweepFileSystem, 'lstat' | 'readdir'>,
  root: string,
): AsyncGenerator<{ readonly path: string; readonly bytes: number }> {
  for (const account of await namesIn(fs, root)) {
    const path = join(root, account, REFUSED);
    if (!/^[1-9]\d*$/.test(account)) continue;
    // A build that begins meanwhile removes the folder, and another user's may not be read.
    const bytes = await bytesIn(fs, path).catch(() => 0);
    if (bytes > 0) yield { path, bytes };
  }
}

async function bytesIn(fs: Pick<SweepFileSystem, 'lstat' | 'readdir'>, folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await namesIn(fs, folder, true)) bytes += (await fs.lstat(join(folder, name))).size;
  return bytes;
}

/** True if the spool's build has ended: its process is dead, or the spool did not change for a day. */
export async function isLeftBehind(
  fs: Pick<SweepFileSystem, 'lstat' | 'readFile'>,
  path: string,
  now: Instant,
): Promise<boolean> {
  try {
    if (toMs(now) - (await fs.lstat(path)).mtimeMs > ABANDONED_MS) return true;
    return await isDead(await fs.readFile(join(path, OWNER_FILE), 'utf8'));
  } catch (error) {
    // Its build has removed the spool meanwhile, or has not written the owner file yet.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}

async function namesIn(
  fs: Pick<SweepFileSystem, 'readdir'>,
  path: string,
  recursive = false,
): Promise<readonly string[]> {
  try {
    return await fs.readdir(path, { recursive });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
