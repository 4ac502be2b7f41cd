/**
 * A lock file allows one pull at a time in a folder. It names the process, which touches it every five seconds. The next pull
 * replaces the lock of a killed pull: at once if both run on one machine, otherwise a minute after the last touch.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PullStopped } from './errors.ts';

const FILE = '.pull.lock';
const TOUCHED_EVERY_MS = 5_000;
const DEAD_AFTER_MS = 60_000;
const POLL_MS = 10;
/** Enough to tell one lock from another. */
const NAME_DIGITS = 16;

/** Locks the folder until the returned function is called; throws if another pull holds the lock. */
export async function lockFolder(to: string): Promise<() => Promise<void>> {
  return await lockFile(join(to, FILE), ({ pid, host }) => {
    throw new PullStopped(1, `Another pull, process ${pid} on ${host}, is filling this folder.`);
  });
}

async function lockFile(
  path: string,
  onHeld: (holder: Holder) => Promise<void>,
): Promise<() => Promise<void>> {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), nonce: randomUUID() });
  while (!(await created(path, own))) {
    const text = await readIfThere(path);
    if (text === null) continue;
    const holder = holderIn(text);
    if (await isDead(path, holder)) await removeDead(path, text);
    else await onHeld(holder);
  }
  const touching = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, TOUCHED_EVERY_MS);
  return async () => {
    clearInterval(touching);
    if ((await readIfThere(path)) === own) await rm(path, { force: true });
  };
}

/**
 * Removes the lock of a dead pull. That lock is itself locked first: between the comparison and the removal, no other pull
 * can replace it by a lock of its own.
 */
async function removeDead(path: string, text: string): Promise<void> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, NAME_DIGITS);
  const release = await lockFile(`${path}.${name}`, () => sleep(POLL_MS));
  if ((await readIfThere(path)) === text && (await isDead(path, holderIn(text))))
    await rm(path, { force: true });
  await release();
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

async function isDead(path: string, { pid, host }: Holder): Promise<boolean> {
  if (host === hostname() && !isAlive(pid)) return true;
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs >= DEAD_AFTER_MS;
}

async function readIfThere(path: string): Promise<string | null> {
  return await readFile(path, 'utf8').catch(() => null);
}

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * The process that a lock names. A pull that is killed before it writes the file leaves an empty file: process 0 of an
 * unknown machine.
 */
function holderIn(text: string): Holder {
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
