/**
 * The power of a disk cut while builds are published to it: whatever was acknowledged is there afterwards, whole, a reader
 * is shown the newest of it or the one under way, and the next build is published. That the method sees what it is to
 * see is shown each time by stores that forget to flush: they must lose something.
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import type { FileSystem } from '../../../src/store/directories.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { failingFileSystem } from '../../store/failing-file-system.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { holdAfter } from '../builds/hold-after.ts';
import { type LoopDisk, type Mode, lacksLoopDisk, makeDisk, mountDisk } from '../disks/loop-disk.ts';
import { scratchFolder } from '../disks/scratch-folder.ts';
import { holdNumber } from '../builds/served-build.ts';
import { type StagedFiles, publishNumber, stageBuild } from '../builds/staged-build.ts';
import { type Forgotten, unsyncedFileSystem } from '../disks/unsynced-file-system.ts';

/** Of one build: far fewer than its calls. */
const CUTS_A_BUILD = 8;
/** Of one disk, so that each cut can look at all of them. */
const BUILDS_A_DISK = 4;
/** About as many as a build makes, so that cuts fall everywhere. */
const CALLS = 700;
const MODES: readonly Mode[] = ['ordered', 'writeback'];
const FORGOTTEN: readonly Forgotten[] = ['files', 'directories'];
/** Cuts of a store that forgets: among so many, one at least loses something. */
const CONTROL_CUTS = 6;

export const powerCuts: Campaign = {
  name: 'power-cuts',
  title: 'the power of an ext4 disk cut while builds are published to it',
  rows: ['F-4'],
  unit: 'cuts',
  times: { short: 24, long: 200 },
  lacks: lacksLoopDisk,
  run: cutAll,
};

async function cutAll({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const files = await stageBuild();
  const chance = chanceOf(seed);
  await using scratch = await scratchFolder();
  const bad: string[] = [];
  let done = 0;
  let acknowledged = 0;
  for (let disks = 0; done < times && !signal.aborted; disks += 1) {
    const mode = MODES[disks % MODES.length] ?? 'ordered';
    const cuts = Math.min(times - done, CUTS_A_BUILD * BUILDS_A_DISK);
    const tried = await tryDisk({ folder: scratch.path, mode, fs, files, chance, cuts });
    bad.push(...tried.lost);
    done += tried.cuts;
    acknowledged += tried.held;
    say(`${done} of ${times}`);
  }
  const figures: Record<string, number> = { 'acknowledged builds held': acknowledged };
  for (const forgotten of FORGOTTEN) {
    const forgetting = unsyncedFileSystem(forgotten);
    const job = { folder: scratch.path, mode: 'ordered' as const, files, chance, cuts: CONTROL_CUTS };
    const { lost } = await tryDisk({ ...job, fs: forgetting });
    figures[`cuts that show forgotten flushes of ${forgotten}`] = lost.length;
    if (lost.length === 0)
      bad.push(`a store that forgets to flush ${forgotten} lost nothing: cuts prove nothing`);
  }
  return { done, bad, figures };
}

interface Trial {
  readonly folder: string;
  readonly mode: Mode;
  /** Those of the store. */
  readonly fs: FileSystem;
  readonly files: StagedFiles;
  readonly chance: Chance;
  readonly cuts: number;
}

interface Cut {
  readonly image: string;
  /** The build under way; those before it were acknowledged. */
  readonly number: number;
  readonly call: number;
}

/** Publishes one build after the other to a disk, and looks at what each cut left. */
async function tryDisk(
  trial: Trial,
): Promise<{ readonly cuts: number; readonly held: number; readonly lost: readonly string[] }> {
  const lost: string[] = [];
  let held = 0;
  let done = 0;
  await using disk = await makeDisk(trial.folder, trial.mode);
  for (let number = 0; done < trial.cuts; number += 1) {
    const cuts = await publishAndCut(trial, disk, number, Math.min(CUTS_A_BUILD, trial.cuts - done));
    for (const cut of cuts) {
      try {
        held += await holdCut(trial, cut);
      } catch (error) {
        lost.push(
          violationText(`power cut at call ${cut.call} of build ${cut.number}, data=${trial.mode}`, error),
        );
      }
    }
    done += cuts.length;
  }
  return { cuts: done, held, lost };
}

async function publishAndCut(
  trial: Trial,
  disk: LoopDisk,
  number: number,
  most: number,
): Promise<readonly Cut[]> {
  const cuts: Cut[] = [];
  let calls = 0;
  // From a second build on there is something to lose, so the first is let be.
  const at = number === 0 ? new Set<number>() : drawCalls(trial.chance, most);
  const counted = failingFileSystem({
    fs: trial.fs,
    onCall() {
      calls += 1;
      if (at.has(calls)) cuts.push({ image: disk.cut(), number, call: calls });
    },
  });
  const store = await openFolderStore({ fs: counted, root: `${disk.path}/store`, randomUuid: randomUUID });
  await publishNumber(store, trial.files, number);
  if (number > 0 && cuts.length < most) cuts.push({ image: disk.cut(), number: number + 1, call: 0 });
  return cuts;
}

/** One of them just after the acknowledgement: call 0 of the next build. */
function drawCalls(chance: Chance, most: number): ReadonlySet<number> {
  return new Set(Array.from({ length: most - 1 }, () => 1 + chance.below(CALLS)));
}

/** Throws unless all that was acknowledged is there; says how many builds that were. */
async function holdCut({ mode, files }: Trial, { image, number }: Cut): Promise<number> {
  await using disk = await mountDisk(image, mode);
  const store = await openFolderStore({ fs, root: `${disk.path}/store`, randomUuid: randomUUID });
  for (let before = 0; before < number; before += 1) await holdNumber(store, files, before);
  await holdAfter('killed', { store, files, number });
  return number;
}
