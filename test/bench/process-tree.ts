/** The memory and the CPU time of a process and its descendants, as Linux tells them. */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often the tree is looked at: a build's shortest step takes longer. */
const PERIOD_MS = 100;
const PAGE_BYTES = 4096;

// Linux counts in hundredths, whatever the kernel's own clock does.
const TICKS_PER_SECOND = 100;

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

/** The CPU seconds of a process and of all its children, those that ended too. */
export function familyCpuSeconds(pid: number): number {
  // Of the children that ended, the kernel adds up the times once their parent knows.
  const own = [...timesOf(String(pid))];
  const living = processes()
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => timesOf(String(child.pid)).slice(0, 2));
  return [...own, ...living].reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** In user and system mode, and the same of the children that ended. */
function timesOf(pid: string): readonly number[] {
  return fieldsOf(pid).slice(11, 15).map(Number);
}

export function parentOfProcess(pid: number): number {
  return parentOf(String(pid)) ?? 0;
}

function processes(): readonly { readonly pid: number; readonly parent: number | undefined }[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), parent: parentOf(entry) }));
}

function treeBytes(root: number): number {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of processes()) {
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  let bytes = 0;
  for (const tree = [root]; ;) {
    const pid = tree.pop();
    if (pid === undefined) return bytes;
    bytes += residentBytes(pid);
    tree.push(...(children.get(pid) ?? []));
  }
}

function parentOf(pid: string): number | undefined {
  const parent = fieldsOf(pid)[1];
  return parent === undefined ? undefined : Number(parent);
}

/** The name in the line may hold anything, a bracket too: what follows the last one can be counted. */
function fieldsOf(pid: string): readonly string[] {
  const line = readIfRunning(`/proc/${pid}/stat`);
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
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
