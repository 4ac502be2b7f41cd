/**
 * What may happen to the process of a whole build, at any step: kill -9, SIGTERM, a pause in which another build
 * publishes, too little memory, and calls to the system that kill it or fail. A reader is shown the snapshot before or a
 * whole new one, no session is left, and the next build publishes.
 */
import { type ChildProcess, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type ProcessHarness, endOf, openProcessHarness } from '../process-harness.ts';

const KINDS = ['paused', 'stopped', 'killed', 'starved', 'call killed', 'call failed'] as const;
type Kind = (typeof KINDS)[number];
/** Fourteen tables and the audit: what a build tells before it is published. */
const STEPS = 15;
const STOP_MS = 5_000;
/** Megabytes of heap: enough to load the program, too few to build. */
const HEAPS = [12, 16, 20, 24] as const;
/** Calls that a build makes of the system, with about how often. */
const CALLS = {
  close: 300,
  fsync: 100,
  link: 40,
  mkdir: 20,
  openat: 400,
  read: 400,
  unlink: 40,
  write: 200,
} as const;
const ERRORS = ['EIO', 'EMFILE', 'ENOMEM', 'ENOSPC'] as const;

export const processes: Campaign = {
  name: 'processes',
  title: 'whole builds in processes that are killed, stopped, paused, starved, or whose system calls fail',
  rows: ['F-1', 'F-2', 'F-3', 'F-29', 'F-30', 'F-32', 'F-35', 'F-36'],
  unit: 'builds',
  times: { short: 6, long: 120 },
  run: meetAll,
};

async function meetAll({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const strace = await promisify(execFile)('strace', ['-V']).then(
    () => true,
    () => false,
  );
  const kinds = KINDS.filter((kind) => strace || !kind.startsWith('call'));
  const bad: string[] = [];
  const figures: Record<string, number> = strace ? {} : { 'kinds not run for want of strace': 2 };
  await using harness = await openProcessHarness();
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const kind = kinds[done % kinds.length] ?? 'killed';
    const fault = { kind, step: chance.below(STEPS), call: drawCall(chance), heap: chance.oneOf(HEAPS) };
    try {
      const end = await meet(harness, fault);
      figures[`${kind}, ${end}`] = (figures[`${kind}, ${end}`] ?? 0) + 1;
      await harness.publish();
    } catch (error) {
      bad.push(violationText(JSON.stringify(fault), error));
    }
    if (done % 10 === 9) say(`${done + 1} of ${times}`);
  }
  return { done, bad, figures };
}

interface Call {
  readonly name: string;
  readonly number: number;
  readonly error: (typeof ERRORS)[number];
}

interface Fault {
  readonly kind: Kind;
  readonly step: number;
  readonly call: Call;
  readonly heap: number;
}

function drawCall(chance: Chance): Call {
  const [name, most] = chance.oneOf<[string, number]>(Object.entries(CALLS));
  return { name, number: 1 + chance.below(most), error: chance.oneOf(ERRORS) };
}

/** Throws unless what must be true is; says how the build ended. */
async function meet(harness: ProcessHarness, { kind, step, call, heap }: Fault): Promise<string> {
  switch (kind) {
    case 'paused':
      return await pause(harness, step);
    case 'stopped':
      return await stop(harness, step);
    case 'killed':
      return await judge(
        harness,
        harness.start(step, (child) => child.kill('SIGKILL')),
        'may be left',
      );
    case 'starved':
      return await judge(harness, harness.startBehind([], [`--max-old-space-size=${heap}`]), 'may be left');
    case 'call killed':
      return await judge(harness, harness.startBehind(spoiling(call, 'signal=SIGKILL')), 'may be left');
    case 'call failed':
      return await judge(harness, harness.startBehind(spoiling(call, `error=${call.error}`)), 'may be left');
  }
}

function spoiling({ name, number }: Call, how: string): readonly string[] {
  return [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${name}`,
    '-e',
    `inject=${name}:${how}:when=${number}`,
  ];
}

/** Waits for its end; throws unless the snapshot before is served, or a whole new one. */
async function judge(
  harness: ProcessHarness,
  child: ChildProcess,
  spool: 'empty' | 'may be left',
): Promise<'failed' | 'killed' | 'published'> {
  const before = await harness.served();
  const { code, signal } = await endOf(child);
  const after = await harness.served();
  if (code === 0 && after === before) throw new Error('it ended well and published nothing');
  await harness.holdClean(spool);
  if (code === 0) return 'published';
  return signal === null ? 'failed' : 'killed';
}

/** SIGTERM at a step: it is to end within five seconds, with nothing left behind. */
async function stop(harness: ProcessHarness, step: number): Promise<string> {
  let asked = 0;
  const child = harness.start(step, (stopped) => {
    asked = performance.now();
    stopped.kill('SIGTERM');
  });
  child.once('exit', () => (asked = performance.now() - asked));
  const end = await judge(harness, child, 'empty');
  if (asked > STOP_MS) throw new Error(`it took ${Math.round(asked)} ms to stop`);
  return end;
}

/** SIGSTOP at a step, and SIGCONT when another build has published: its moment is the older one by then. */
async function pause(harness: ProcessHarness, step: number): Promise<string> {
  const stopped = Promise.withResolvers<ChildProcess>();
  const child = harness.start(step, (paused) => {
    paused.kill('SIGSTOP');
    stopped.resolve(paused);
  });
  await stopped.promise;
  const newer = await harness.publish();
  child.kill('SIGCONT');
  const { code } = await endOf(child);
  if (code !== 0) throw new Error(`it ended with ${code} instead of saying that it is superseded`);
  const served = await harness.served();
  if (served !== newer) throw new Error(`${served} is served after ${newer}`);
  await harness.holdClean('empty');
  return 'superseded';
}
