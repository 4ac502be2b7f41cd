/** Queries the operating system about a process id: does it run, and is it still the same process? */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const POLL_MS = 20;

/**
 * A text that identifies a running process by its start time; null if no process with this id runs. A later process with the
 * same id gives another text. On Linux, null also for a zombie.
 */
export async function processLife(pid: number): Promise<string | null> {
  if (platform() !== 'linux') return ps(pid, 'lstart=');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // Count fields after the name in parentheses, which may contain blanks. The first is the state, the twentieth the start
  // time in ticks since boot. A zombie has ended and holds no resources.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}/${fields[19]}`;
}

/** The command line of a process, separated by blanks; null if no such process runs. */
export async function processCommand(pid: number): Promise<string | null> {
  if (platform() !== 'linux') return ps(pid, 'command=');
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  return words === null ? null : words.replaceAll('\0', ' ').trim();
}

/** The id of the process's parent; null if no such process runs. */
export async function parentOf(pid: number): Promise<number | null> {
  if (platform() !== 'linux') return Number(await ps(pid, 'ppid=')) || null;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The second field after the name in parentheses, which may contain blanks.
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Waits until a process has ended; false if it still runs after `limitMs`. */
export async function processEnded(pid: number, limitMs: number): Promise<boolean> {
  for (let waited = 0; waited < limitMs; waited += POLL_MS) {
    if ((await processLife(pid)) === null) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Sends a signal; false if the process has ended, or if this process may not signal it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function ps(pid: number, column: string): Promise<string | null> {
  const answer = await promisify(execFile)('ps', ['-o', column, '-p', String(pid)]).catch(() => null);
  return answer?.stdout.trim() || null;
}
