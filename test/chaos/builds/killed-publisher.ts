/**
 * A process that publishes a staged build and is killed on the way: into a folder by its own hand, before a call to the
 * file system; into a bucket by the server of its requests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { openScripted } from '../../store/bucket-harness.ts';
import { failingFileSystem } from '../../store/failing-file-system.ts';
import { publishNumber, readStaged } from './staged-build.ts';

const SELF = fileURLToPath(import.meta.url);

/** Where it publishes to. */
export type Target =
  | { readonly root: string; /** Counted from 1. */ readonly dieAtCall: number }
  | { readonly endpoint: string; readonly location: string };

interface Publishing {
  readonly target: Target;
  /** The folder of the staged files. */
  readonly staged: string;
  readonly number: number;
}

/** Starts it. */
export function startPublisher(publishing: Publishing): ChildProcess {
  return spawn(process.execPath, [SELF, JSON.stringify(publishing)], {
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'crossfoot-chaos-compiled') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Waits for its end, and says which. */
export async function endOf(publisher: ChildProcess): Promise<'killed' | 'published'> {
  const [code, signal] = (await once(publisher, 'close')) as [number | null, string | null];
  if (signal === 'SIGKILL') return 'killed';
  if (code === 0) return 'published';
  throw new Error(`the publisher ended with ${signal ?? code}`);
}

async function openTarget(target: Target): Promise<Store> {
  if ('endpoint' in target) return openScripted(target, { location: new URL(target.location) });
  let calls = 0;
  const fs = failingFileSystem({
    onCall() {
      calls += 1;
      if (calls === target.dieAtCall) process.kill(process.pid, 'SIGKILL');
    },
  });
  return await openFolderStore({ fs, root: target.root, randomUuid: randomUUID });
}

async function publishUntilKilled({ target, staged, number }: Publishing): Promise<void> {
  const files = await readStaged((await readdir(staged)).map((name) => join(staged, name)));
  const { outcome } = await publishNumber(await openTarget(target), files, number);
  if (outcome !== 'published') throw new Error(`it was ${outcome}`);
}

// What `startPublisher` wrote.
if (import.meta.main) await publishUntilKilled(JSON.parse(process.argv[2] ?? '') as Publishing);
