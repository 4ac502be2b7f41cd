/** Programs that the real npm starts, and what becomes of them when npm or its shell is ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parentOf, processEnded, processLife, sendSignal } from '../../src/processes.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const PROGRAM = `"${process.execPath}" "${fileURLToPath(new URL('watched-program.ts', import.meta.url))}"`;
/** Longer than the program takes to notice, also on a busy machine. */
const END_LIMIT_MS = 30_000;

interface Started {
  readonly first: ChildProcess;
  /** The process of the program. */
  readonly pid: number;
  /** Resolves when the program has said so often that it has another parent than at first. */
  readonly orphaned: (times: number) => Promise<void>;
}

/** Starts the words, which run `watched-program.ts`, and waits until it says where it runs. */
async function start(...words: readonly [string, ...string[]]): Promise<Started> {
  const [command, ...args] = words;
  const first = spawn(command, args, {
    cwd: TOP,
    env: { PATH: process.env['PATH'] },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: first.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<readonly [number, number]> => {
    const { value } = await lines.next();
    const [, pid, parent] = /^(\d+) below (\d+)$/.exec(String(value)) ?? [];
    if (pid === undefined) throw new Error(`expected a program, found ${String(value)}`);
    return [Number(pid), Number(parent)];
  };
  const [pid, parent] = await next();
  return {
    first,
    pid,
    async orphaned(times) {
      for (let seen = 0; seen < times;) if ((await next())[1] !== parent) seen += 1;
    },
  };
}

it.each(['SIGTERM', 'SIGKILL'] as const)('a program ends when npm is ended by %s', async (signal) => {
  const { first, pid } = await start('npm', 'exec', '--no', '--call', PROGRAM);
  sendSignal(first.pid ?? 0, signal);
  await once(first, 'exit');
  expect(await processEnded(pid, END_LIMIT_MS)).toBe(true);
});

it('a program ends when the shell that npm started it with is killed', async () => {
  const { first, pid } = await start('npm', 'exec', '--no', '--call', `${PROGRAM}; true`);
  const shell = await parentOf(pid);
  expect(shell).not.toBe(first.pid);
  sendSignal(shell ?? 0, 'SIGKILL');
  expect(await processEnded(pid, END_LIMIT_MS)).toBe(true);
});

it('a program ends with npm also when the shell became the program', async () => {
  const { first, pid } = await start('npm', 'exec', '--no', '--call', `exec ${PROGRAM}`);
  expect(await parentOf(pid)).toBe(first.pid);
  sendSignal(first.pid ?? 0, 'SIGKILL');
  expect(await processEnded(pid, END_LIMIT_MS)).toBe(true);
});

it('a program ends in the middle of a job', async () => {
  const { first, pid } = await start('npm', 'exec', '--no', '--call', `${PROGRAM} job`);
  sendSignal(first.pid ?? 0, 'SIGHUP');
  expect(await processEnded(pid, END_LIMIT_MS)).toBe(true);
});

it('a program ends in the middle of a command of crossfoot', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-npm-'));
  // It takes requests and never answers.
  await using server = createServer((socket) => socket.on('error', () => undefined).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP socket has one.
  const words = [
    '--no',
    'crossfoot',
    'pull',
    '--url',
    `http://127.0.0.1:${port}/v1`,
    '--token',
    'any',
    '--to',
    folder,
  ];
  const first = spawn('npx', words, {
    cwd: TOP,
    env: { PATH: process.env['PATH'], npm_config_cache: join(folder, 'cache') },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(server, 'connection');
    sendSignal(first.pid ?? 0, 'SIGTERM');
    // It is open as long as a process below npx lives.
    const signal = AbortSignal.timeout(END_LIMIT_MS);
    expect(await once(first.stdout.resume(), 'end', { signal })).toEqual([]);
  } finally {
    sendSignal(-(first.pid ?? 0), 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

it('a program runs on when the shell that started it ends and no npm did', async () => {
  const { first, pid, orphaned } = await start('sh', '-c', `${PROGRAM}; true`);
  sendSignal(first.pid ?? 0, 'SIGKILL');
  // Twenty times a tenth of a second: a program below npm would have looked four times.
  await orphaned(20);
  expect(await processLife(pid)).not.toBeNull();
  sendSignal(pid, 'SIGKILL');
});
