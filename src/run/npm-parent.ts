/**
 * Notices that the npm that started this program has ended. npm, or the shell that it starts a program with, passes no signal on
 * to the program when it is ended: the program would run on without a terminal.
 */
import { parentOf, processCommand, processLife } from '../processes.ts';

const POLL_MS = 500;
/** npm and its relatives start a program with a shell: `sh -c 'crossfoot start'`. Some shells become the program instead. */
const SCRIPT_SHELL = /^\S+ -c /;
const NPM = /npm|npx|yarn|bun/;

interface Watching {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called once. */
  readonly onEnded: () => void;
}

/**
 * Calls `onEnded` when the npm process that started this program has ended; npm ends when its shell does. Does nothing for a
 * program that npm did not start: `systemd`, `cron` and `setsid` leave it to the program how long it runs.
 */
export function watchNpm({ env, onEnded }: Watching): void {
  // npm, pnpm and yarn set this for what they start.
  if (env['npm_execpath'] === undefined) return;
  const npm = npmAbove(process.ppid);
  let isChecking = false;
  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const { pid, life } = await npm;
    const ended = life === null || (await processLife(pid)) !== life;
    isChecking = false;
    if (!ended) return;
    clearInterval(timer);
    onEnded();
  }
  const timer = setInterval(() => void check(), POLL_MS).unref();
}

interface Life {
  readonly pid: number;
  /** Null if it had ended before this program looked. */
  readonly life: string | null;
}

/** The npm process: our parent, or the process above the shell that is our parent. */
async function npmAbove(parent: number): Promise<Life> {
  const isShell = SCRIPT_SHELL.test((await processCommand(parent)) ?? '');
  const pid = isShell ? ((await parentOf(parent)) ?? 1) : parent;
  // The system gives a process whose parent has ended to process 1, which is npm itself only in a container.
  const hadEnded = pid === 1 && !NPM.test((await processCommand(pid)) ?? '');
  return { pid, life: hadEnded ? null : await processLife(pid) };
}
