/** The two programs that the server hands out, run as their users run them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const path = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** What each is started by. */
export const PULL_PROGRAMS = {
  node: [process.execPath, path('assets/pull.mjs')],
  python: ['python3', path('src/client/pull.py')],
} as const;

export type PullProgram = keyof typeof PULL_PROGRAMS;

export interface PullRun {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningPull {
  readonly ended: Promise<PullRun>;
  kill(): void;
  /** As a supervisor (the default), a person or a terminal that is closed asks it to end. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void;
}

/** Starts one; the token stands in its environment, as the help advises. */
export function startPull(program: PullProgram, token: string, ...args: readonly string[]): RunningPull {
  const [runtime, script] = PULL_PROGRAMS[program];
  const env = { PATH: process.env['PATH'], CROSSFOOT_TOKEN: token, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(runtime, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (chunk) => {
      said[stream] += String(chunk);
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return {
    ended,
    kill: () => void child.kill('SIGKILL'),
    stop: (signal = 'SIGTERM') => void child.kill(signal),
  };
}

/** Runs one to its end. */
export function runPull(program: PullProgram, token: string, ...args: readonly string[]): Promise<PullRun> {
  return startPull(program, token, ...args).ended;
}
