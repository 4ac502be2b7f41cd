/**
 * One pull at a time in a folder: a file that exists while one runs. It names a process, and is touched as long as that
 * lives: what a killed one left is taken over at once on its own machine, and after a minute from anywhere.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PullStopped } from './outcome.ts';

const FILE = '.pull.lock';
const TOUCHED_EVERY_MS = 5_000;
const DEAD_AFTER_MS = 60_000;

/** Holds the folder until the function it gives is called; refuses when another pull holds it. */
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

/** Two may find the same lock dead: the one that moves it away first goes on, the other finds none or a living one. */
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

/** Killed between making the file and writing it, a pull leaves an empty one. */
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
