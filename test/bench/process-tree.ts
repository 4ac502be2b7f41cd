/** The memory of a process and all its descendants, as Linux tells it. */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often the tree is looked at: a build's shortest step takes longer. */
const PERIOD_MS = 100;
const PAGE_BYTES = 4096;

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

function treeBytes(root: number): number {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? parentOf(entry) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  let bytes = 0;
  for (const tree = [root]; ;) {
    const pid = tree.pop();
    if (pid === undefined) return bytes;
    bytes += residentBytes(pid);
    tree.push(...(children.get(pid) ?? []));
  }
}

/** The name in the line may hold anything, a bracket too: what follows the last one can be counted. */
function parentOf(pid: string): number | undefined {
  const line = readIfRunning(`/proc/${pid}/stat`);
  const parent = line.slice(line.lastIndexOf(')')).split(' ')[2];
  return parent === undefined ? undefined : Number(parent);
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
