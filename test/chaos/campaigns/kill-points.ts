/**
 * Every call that publishing a build makes to the file system, and before each of them the end: the process killed with
 * kill -9, a disk that breaks, is full or may not be written, no descriptor left. Afterwards a reader is shown the build
 * before or the whole new one, and the next build is published.
 */
import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isCrossfootError } from '../../../src/errors.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { failingFileSystem } from '../../store/failing-file-system.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { chanceOf } from '../chance.ts';
import { endOf, startPublisher } from '../builds/killed-publisher.ts';
import { scratchFolder } from '../disks/scratch-folder.ts';
import { type BuildEnd, holdAfter } from '../builds/hold-after.ts';
import { type StagedFiles, publishNumber, putAside, stageBuild } from '../builds/staged-build.ts';
import { spread } from '../spread.ts';

const FAULTS = ['kill -9', 'EIO', 'ENOSPC', 'EMFILE', 'EROFS'] as const;
/** A fresh store after so many points: reading a longer log would only take time. */
const POINTS_A_STORE = 20;

interface Point {
  readonly fault: (typeof FAULTS)[number];
  /** The call that it meets, counted from 1. */
  readonly call: number;
}

export const killPoints: Campaign = {
  name: 'kill-points',
  title: 'kill -9 and errors at every file system call of publishing into a folder',
  rows: ['F-1', 'F-29', 'F-30', 'F-31', 'F-32'],
  unit: 'points',
  times: { short: 60, long: 1_200 },
  run: meetPoints,
};

async function meetPoints({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const files = await stageBuild();
  await using scratch = await scratchFolder();
  const staged = await putAside(files, scratch.path);
  const calls = await countCalls(files, join(scratch.path, 'counted'));
  const all = FAULTS.flatMap((fault) => Array.from({ length: calls }, (_, at) => ({ fault, call: at + 1 })));
  const points = spread(all, times, chanceOf(seed));
  const tally = { published: 0, failed: 0, killed: 0 };
  const bad: string[] = [];
  let done = 0;
  let current = await aStore(scratch.path, files);
  for (const point of points) {
    if (signal.aborted) break;
    if (current.number > 2 * POINTS_A_STORE) {
      await rm(current.root, { recursive: true });
      current = await aStore(scratch.path, files);
      say(`${done} of ${points.length}`);
    }
    const { number } = current;
    try {
      const outcome = await meet(point, { ...current, files, staged });
      tally[outcome] += 1;
      await holdAfter(outcome, { store: current.store, files, number });
      // A point has two builds: the killed build, and the next build.
      current.number += 2;
    } catch (error) {
      bad.push(violationText(`${point.fault} at call ${point.call}`, error));
      await rm(current.root, { recursive: true });
      current = await aStore(scratch.path, files);
    }
    done += 1;
  }
  return { done, bad, figures: { calls, 'distinct points': all.length, ...tally } };
}

interface NumberedStore {
  /** The next build; those before it are there. */
  number: number;
  readonly root: string;
  readonly store: Store;
}

interface Meeting extends NumberedStore {
  readonly files: StagedFiles;
}

async function aStore(scratch: string, files: StagedFiles): Promise<NumberedStore> {
  const root = join(scratch, randomUUID());
  const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  await publishNumber(store, files, 0);
  return { root, store, number: 1 };
}

/** How many calls a build makes that nothing happens to, once there is one before it. */
async function countCalls(files: StagedFiles, root: string): Promise<number> {
  await publishNumber(await openFolderStore({ fs, root, randomUuid: randomUUID }), files, 0);
  let calls = 0;
  const counting = failingFileSystem({ onCall: () => (calls += 1) });
  await publishNumber(await openFolderStore({ fs: counting, root, randomUuid: randomUUID }), files, 1);
  await rm(root, { recursive: true });
  return calls;
}

async function meet(
  { fault, call }: Point,
  { root, files, staged, number }: Meeting & { readonly staged: string },
): Promise<BuildEnd> {
  if (fault === 'kill -9') {
    return await endOf(startPublisher({ target: { root, dieAtCall: call }, staged, number }));
  }
  const failing = failingFileSystem({ failAt: call, code: fault });
  try {
    const store = await openFolderStore({ fs: failing, root, randomUuid: randomUUID });
    const { outcome } = await publishNumber(store, files, number);
    if (outcome === 'published') return outcome;
    throw new Error(`it was ${outcome}`);
  } catch (error) {
    if (!isCrossfootError(error, 'store_unavailable')) throw error;
    if (!error.message.includes(fault))
      throw new Error(`its error hides the cause: ${error.message}`, { cause: error });
    return 'failed';
  }
}
