/** The memory and the processor time of a process and all its descendants, as Linux tells it. */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often the tree is looked at: a build's shortest step takes longer. */
const PERIOD_MS = 100;
const PAGE_BYTES = 4096;
/** Linux tells processor time in hundredths of a second. */
const TICKS = 100;

/** What the tree held at one look. */
export interface MemorySample {
  /** Since the first look. */
  readonly ms: number;
  readonly rss_bytes: number;
}

/** Looks at the tree below a process until told to stop; what is shared between processes counts in each. */
export async function watchMemory(
  pid: number,
  signal: AbortSignal,
  onSample: (sample: MemorySample) => void,
): Promise<void> {
  const began = performance.now();
  while (!signal.aborted) {
    onSample({ ms: Math.round(performance.now() - began), rss_bytes: treeBytes(pid) });
    await sleep(PERIOD_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Seconds of processor time that the process, its descendants and their children that have ended took so far. The
 * difference of two readings counts a child that ended between them.
 */
export function treeSeconds(root: number): number {
  return treeOf(root).reduce((sum, pid) => sum + ownSeconds(pid) + endedSeconds(pid), 0);
}

/** Seconds of processor time of the children of a process that have ended. */
export function endedSeconds(pid: number): number {
  return secondsFrom(pid, 13);
}

function ownSeconds(pid: number): number {
  return secondsFrom(pid, 11);
}

/** The sum of a time in user mode and of the one in the kernel after it, by their index. */
function secondsFrom(pid: number, index: number): number {
  const numbers = numbersOf(pid);
  return ((numbers[index] ?? 0) + (numbers[index + 1] ?? 0)) / TICKS;
}

/** The most memory that a running process has held. */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readIfRunning(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** The process that started this one. */
export function parentOf(pid: number): number | undefined {
  return numbersOf(pid)[1];
}

function treeBytes(root: number): number {
  return treeOf(root).reduce((sum, pid) => sum + residentBytes(pid), 0);
}

/** The process and its descendants. */
function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? parentOf(Number(entry)) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** The fields of a process after its name, which may hold anything, a bracket too; the state is not a number. */
function numbersOf(pid: number): readonly number[] {
  const line = readIfRunning(`/proc/${pid}/stat`);
  return line === ''
    ? []
    : line
        .slice(line.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
}

function residentBytes(pid: number): number {
  return Number(readIfRunning(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;
}

function readIfRunning(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it ended since it was listed
  }
}
