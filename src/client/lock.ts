/**
 * A lock file allows one pull at a time in a folder. It names the process, which touches it every five seconds. The next pull
 * replaces the lock of a killed pull: at once if both run on one machine, otherwise a minute after the last touch.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PullStopped } from './errors.ts';

const FILE = '.pull.lock';
const TOUCHED_EVERY_MS = 5_000;
const DEAD_AFTER_MS = 60_000;

/** Locks the folder until the returned function is called; throws if another pull holds the lock. */
export async function lockFolder(to: string): Promise<() => Promise<void>> {
  const path = join(to, FILE);
  const own = JSON.stringify({ pid: process.pid, host: hostname(), nonce: randomUUID() });
  while (!(await created(path, own))) await removeDead(path);
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, TOUCHED_EVERY_MS);
  return async () => {
    clearInterval(touching);
    if ((await readFile(path, 'utf8').catch(() => null)) === own) await rm(path, { force: true });
  };
}

async function created(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two pulls may find the same dead lock. The first one moves it away; the other then finds no lock, or a valid one. */
async function removeDead(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return;
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  const { pid, host } = holderIn(text);
  const gone = host === hostname() && !isAlive(pid);
  if (!gone && Date.now() - mtimeMs < DEAD_AFTER_MS) {
    throw new PullStopped(1, `Another pull, process ${pid} on ${host}, is filling this folder.`);
  }
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

/** A pull that is killed before it writes the file leaves an empty one. */
function holderIn(text: string): { readonly pid: number; readonly host: string } {
  try {
    const { pid, host } = JSON.parse(text) as Record<string, unknown>;
    return { pid: Number(pid), host: String(host) };
  } catch {
    return { pid: 0, host: 'unknown' };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
