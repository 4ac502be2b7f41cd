/**
 * Builds in ranges whose workers or whose own process are killed at each stage, a worker that sees another moment, and full
 * spools. Two workers and the build are processes. Each build publishes the bytes of one connection, or nothing; then prune leaves
 * no part.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openRangeRoom, type RangeProcess, type RangeRoom } from '../builds/range-processes.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { lacksSmallDisk, makeSmallDisk } from '../disks/small-disk.ts';
import { type Gateway, lacksGateway, startGateway } from '../s3/chaos-gateway.ts';
import { spread } from '../spread.ts';
import { violationText } from '../violation-text.ts';

const POLL_MS = 20;
const DISK_MB = 16;
/** Of a build on a machine that does nothing else. */
const BUILD_MS = 15_000;

/** The build of a unit, and its two workers. */
interface Crew {
  readonly leader: RangeProcess;
  readonly workers: readonly [RangeProcess, RangeProcess];
}

/** When a process is killed. */
const STAGES: Readonly<Record<string, (room: RangeRoom) => Promise<boolean>>> = {
  'as ranges are offered': async (room) => (await room.states()).length > 0,
  'as a worker holds a range': async (room) => (await room.states()).includes('active'),
  'once a part is stored': async (room) => (await room.parts()).length > 0,
};
const AT_ANY_TIME = 'at any time';

interface Fault {
  readonly name: string;
  readonly kills?: { readonly who: 'the build' | 'a worker' | 'a worker alone'; readonly stage: string };
  /** Whose spool is on a full disk. */
  readonly full?: 'the build' | 'a worker';
  /** True: a worker reads another copy of the ledger. */
  readonly elsewhere?: true;
}

const FAULTS: readonly Fault[] = [
  { name: 'no fault' },
  { name: 'a worker that sees another moment', elsewhere: true },
  ...[...Object.keys(STAGES), AT_ANY_TIME].flatMap((stage) =>
    (['the build', 'a worker', 'a worker alone'] as const).map((who) => ({
      name: `${who} killed ${stage}`,
      kills: { who, stage },
    })),
  ),
  { name: 'a full spool of a worker', full: 'a worker' },
  { name: 'a full spool of the build', full: 'the build' },
];

const campaign: Omit<Campaign, 'lacks' | 'name' | 'run'> = {
  title: 'builds in ranges whose processes are killed, whose spools are full, or that see another moment',
  rows: ['F-1', 'F-29'],
  unit: 'builds',
  // Each takes about a minute.
  times: { short: 2, long: 4 * FAULTS.length },
};

export const rangeKills: Campaign = {
  ...campaign,
  name: 'range-kills',
  lacks: lacksSmallDisk,
  run: (request) => meetAll(request, null),
};

export const rangeKillsS3: Campaign = {
  ...campaign,
  name: 'range-kills-s3',
  lacks: async () => (await lacksSmallDisk()) ?? (await lacksGateway()),
  async run(request) {
    await using gateway = await startGateway('ranges');
    return await meetAll(request, gateway);
  },
};

async function meetAll(
  { seed, times, say, signal }: CampaignRequest,
  gateway: Gateway | null,
): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const bad: string[] = [];
  const figures: Record<string, number> = {};
  await using room = await openRangeRoom(gateway);
  const faults = spread(FAULTS, times, chance);
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const fault = faults[done % faults.length] ?? { name: 'no fault' };
    try {
      const end = await meet(room, fault, chance);
      figures[end] = (figures[end] ?? 0) + 1;
      say(`${done + 1} of ${times}: ${fault.name}: ${end}`);
    } catch (error) {
      bad.push(violationText(fault.name, error));
      say(`${done + 1} of ${times}: ${fault.name}: bad`);
    }
  }
  return { done, bad, figures };
}

/** Throws unless what must be true is; says how the build ended. */
async function meet(room: RangeRoom, fault: Fault, chance: Chance): Promise<string> {
  await using disk = fault.full === undefined ? null : await makeSmallDisk(DISK_MB);
  await disk?.fill();
  const onDisk = (who: Fault['full']) => (disk === null || fault.full !== who ? {} : { DATA_DIR: disk.path });
  const before = await room.entries();
  const workers = [
    room.start('work', { ...onDisk('a worker'), ...(fault.elsewhere && { LEDGER_URL: room.elsewhere }) }),
    room.start('work'),
  ] as const;
  const leader = room.start('build', onDisk('the build'));
  const killed = await kill(room, fault, { leader, workers }, chance);
  const code = await leader.ended;
  const after = await room.entries();
  const spare = fault.kills?.who === 'the build' ? [] : workers.slice(1);
  try {
    if (after === before) {
      if (code === 0) throw new Error('the build ended well and published nothing');
      if (!killed && !mayRefuse(fault, leader.said()))
        throw new Error(`the build ended with ${leader.said()}`);
      return killed ? 'killed, nothing published' : `refused: ${reasonOf(leader.said())}`;
    }
    if (after !== before + 1) throw new Error(`${after - before} entries for one build`);
    if (code !== 0 && fault.kills?.who !== 'the build') throw new Error(`${leader.said()}, but published`);
    await room.holdEqual();
    return `${killed ? 'killed, ' : ''}published as by one connection`;
  } finally {
    // Another worker is there: it finds out that the moment has ended.
    if (spare.length === 0) room.start('work');
    await room.holdNothingLeft();
    for (const worker of workers) worker.kill(true);
  }
}

/** True if the fault may refuse the snapshot with this error. */
function mayRefuse({ elsewhere, full }: Fault, said: string): boolean {
  if (elsewhere === true) return reasonOf(said) === 'moment_unseen';
  return full !== undefined && /disk .*full/i.test(said);
}

/** The code of the error that the build printed. */
function reasonOf(said: string): string {
  return /\(([a-z_]+)\)/.exec(said)?.[1] ?? said;
}

/** Kills a process when its stage is reached; false if the build ends before. */
async function kill(
  room: RangeRoom,
  { kills }: Fault,
  { leader, workers }: Crew,
  chance: Chance,
): Promise<boolean> {
  if (kills === undefined) return false;
  const isOver = (): boolean => leader.child.exitCode !== null || leader.child.signalCode !== null;
  const reached = STAGES[kills.stage];
  if (reached === undefined) await Promise.race([sleep(chance.below(BUILD_MS)), leader.ended]);
  else while (!isOver() && !(await reached(room))) await sleep(POLL_MS);
  if (isOver()) return false;
  const victim = kills.who === 'the build' ? leader : workers[chance.below(2)];
  victim?.kill(kills.who !== 'a worker alone');
  return true;
}
