/** The real program in a process group of its own, as a terminal starts it, followed line by line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sendSignal } from '../../src/processes.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
/** Kept from run to run: every program that a test starts with it loads in less than half the time. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/crossfoot', import.meta.url));
// Only a program that hangs takes so long, also beside a busy test run on two cores.
const SAID_LIMIT_MS = 500_000;

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

export interface Program {
  readonly pid: number;
  /** What it printed until now. */
  readonly stdout: readonly string[];
  /** The first line on stdout or stderr that matches, come or to come; fails when the program ends without it. */
  said(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Outcome>;
  /** To the whole process group, as Ctrl-C does. */
  signalGroup(signal: NodeJS.Signals): void;
  /** To the program alone, as a supervisor does. */
  signal(signal: NodeJS.Signals): void;
}

export interface As {
  readonly uid: number;
  readonly gid: number;
}

/** Nothing of the test run's own settings reaches the program. */
export type Environment = Readonly<Record<string, string>>;

/** Starts `crossfoot <args>`. */
export function startProgram(args: readonly string[], env: Environment, as: Partial<As> = {}): Program {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: TOP,
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      RATES_URL: 'off',
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...as,
  });
  const pid = child.pid ?? 0;
  const lines = { stdout: [] as string[], stderr: [] as string[] };
  let look: (() => void) | undefined;
  const closed = (['stdout', 'stderr'] as const).map((stream) => {
    const reader = createInterface({ input: child[stream] });
    reader.on('line', (line) => {
      lines[stream].push(line);
      look?.();
    });
    return once(reader, 'close');
  });
  const everything = (): string => [...lines.stdout, ...lines.stderr].join('\n');
  const ended = Promise.all([once(child, 'exit'), ...closed]).then(([[code, signal]]): Outcome => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    ...lines,
  }));
  const said = async (pattern: RegExp): Promise<string> => {
    const found = Promise.withResolvers<string>();
    const limit = setTimeout(
      () => found.reject(new Error(`${pattern} was not said in time, only:\n${everything()}`)),
      SAID_LIMIT_MS,
    );
    look = () => {
      const line = [...lines.stdout, ...lines.stderr].find((each) => pattern.test(each));
      if (line !== undefined) found.resolve(line);
    };
    look();
    void ended.then(() => found.reject(new Error(`ended without saying ${pattern}, but:\n${everything()}`)));
    return found.promise.finally(() => clearTimeout(limit));
  };
  return {
    pid,
    stdout: lines.stdout,
    said,
    ended,
    signalGroup: (signal) => void sendSignal(-pid, signal),
    signal: (signal) => void sendSignal(pid, signal),
  };
}

/** Runs `crossfoot <args>` to its end. */
export function runProgram(args: readonly string[], env: Environment = {}): Promise<Outcome> {
  return startProgram(args, env).ended;
}

/** Runs `crossfoot <args>` for a reader that closes its end of stdout before the first line, as `head` may. */
export async function runUnread(args: readonly string[], env: Environment = {}) {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: TOP,
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      RATES_URL: 'off',
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const stderr: string[] = [];
  child.stderr.on('data', (piece) => stderr.push(String(piece)));
  const [code] = (await once(child, 'close')) as [number | null]; // as Node documents it
  return { code, stderr: stderr.join('') };
}
