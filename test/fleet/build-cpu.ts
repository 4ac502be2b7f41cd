/** What builds cost the machine they run on: the CPU time of their process, PostgreSQL's not counted. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { startBuilder } from '../../src/run/builders/build-process.ts';
import { BuildProcesses } from '../../src/run/builders/build-processes.ts';

// Linux counts in hundredths, whatever the kernel's own clock does.
const TICKS_PER_SECOND = 100;

/** Builds the accounts one after the other, as a worker does, and gives the CPU seconds of each, all threads together. */
export async function buildCpuSeconds(
  accounts: readonly bigint[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly number[]> {
  let child: ChildProcess | undefined;
  const processes = new BuildProcesses(() => (child = startBuilder(env)));
  const costs: number[] = [];
  // One process builds many, and another one takes its place now and then.
  const spent = new Map<number, number>();
  for (const account_id of accounts) {
    const { signal } = new AbortController();
    await processes.run({ account_id, night: null, requested_at: null, signal, onEvent: () => undefined });
    const pid = child?.pid ?? 0;
    const cpu_s = cpuSeconds(pid);
    costs.push(cpu_s - (spent.get(pid) ?? 0));
    spent.set(pid, cpu_s);
  }
  return costs;
}

/** The name in the line may hold anything, a bracket too: what follows the last one can be counted. */
function cpuSeconds(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND; // utime and stime
}
