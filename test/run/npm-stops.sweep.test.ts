/** The process that people see is the one that they stop: the server and its PostgreSQL end with it (issue 48). */
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sendSignal } from '../../src/processes.ts';
import { Folder } from '../commands/instances.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const NPX = ['npx', '--no', 'crossfoot', 'start'] as const;
const WAYS: readonly (readonly [string, ...string[]])[] = [
  ['npm', 'start'],
  NPX,
  // A program of Linux. In the foreground it sends its signal to npx alone.
  ...(platform() === 'linux'
    ? [['timeout', '600', ...NPX] as const, ['timeout', '--foreground', '600', ...NPX] as const]
    : []),
];
/** To the process that people see, or to its whole group, as a terminal sends it. */
const STOPS = [
  ['SIGTERM', 1],
  ['SIGINT by Ctrl-C', -1],
  ['SIGHUP of a closed terminal', -1],
] as const;

let folder: Folder;
beforeAll(async () => {
  folder = await Folder.make();
  // Its PostgreSQL is made once.
  await folder.run(['migrate']).ended;
});
// What a failed test left would refuse the next start.
afterEach(() => folder.killAll());
afterAll(() => folder[Symbol.asyncDispose]());

/** Runs the words on the folder until its PostgreSQL runs, and gives the process that people see. */
async function startBy([command, ...args]: readonly [string, ...string[]]): Promise<number> {
  const first = spawn(command, args, {
    cwd: TOP,
    env: { PATH: process.env['PATH'], DATA_DIR: folder.path, PORT: '0', RATES_URL: 'off', LOG_LEVEL: 'warn' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: first.stderr })) {
    if (line.startsWith('data in ')) break;
  }
  first.stderr.resume();
  return first.pid ?? 0;
}

it.each(WAYS.flatMap((way) => STOPS.map(([stop, whom]) => [way.join(' '), stop, way, whom] as const)))(
  '%s ends the server and its PostgreSQL on %s',
  async (_, stop, way, whom) => {
    const pid = await startBy(way);
    expect(await folder.processes()).not.toEqual([]);
    sendSignal(whom * pid, stop.split(' ')[0] as NodeJS.Signals); // each title begins with its signal
    expect(await folder.processesLeft()).toEqual([]);
  },
);
