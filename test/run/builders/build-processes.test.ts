/** Which process builds what: one after the other in the same, unless something speaks against it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BuildProcesses } from '../../../src/run/builders/build-processes.ts';
import { PRETEND } from './pretend-builder.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const BUILDER = fileURLToPath(new URL('./pretend-builder.ts', import.meta.url));

let children: ChildProcess[] = [];
let processes: BuildProcesses;
beforeEach(() => {
  children = [];
  processes = new BuildProcesses(() => {
    const child = fork(BUILDER, { execArgv: [] });
    children.push(child);
    return child;
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const child of children) child.kill('SIGKILL');
});

/** Builds the account, and gives the process that did. */
async function build(account_id: bigint, signal = new AbortController().signal): Promise<number> {
  let pid = 0;
  await processes.run({
    account_id,
    night: null,
    requested_at: null,
    signal,
    // The stand-in tells its process in place of a wait.
    onEvent: (event) => {
      if (event.kind === 'moment.awaited') pid = event.ms;
    },
  });
  return pid;
}

function gone(child: ChildProcess | undefined): Promise<unknown> {
  if (child === undefined) throw new Error('no such process');
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
}

it('the same process builds one account after the other', async () => {
  const first = await build(PRETEND.builds);
  expect(await build(PRETEND.builds)).toBe(first);
  expect(children.map(({ pid }) => pid)).toEqual([first]);
});

it('two processes build two accounts at once, and both are kept', async () => {
  const pair = [PRETEND.builds, PRETEND.builds];
  expect(new Set(await Promise.all(pair.map((id) => build(id)))).size).toBe(2);
  expect(new Set(await Promise.all(pair.map((id) => build(id)))).size).toBe(2);
  expect(children).toHaveLength(2);
});

it('a process whose build failed is released, with the reason of the failure', async () => {
  await expect(build(PRETEND.fails)).rejects.toMatchObject({
    code: 'copy_failed',
    message: 'A table broke off.',
    hint: 'Build again.',
    data: { table: 'costs', expected: 2, refused: ['42-check-amounts'] },
  });
  await build(PRETEND.builds);
  expect(children).toHaveLength(2);
  expect(children[0]?.exitCode).toBe(0);
});

itInSweeps(
  'a process that hangs after its build failed is ended, so that the next account is built',
  async () => {
    await expect(build(PRETEND.hangs)).rejects.toMatchObject({ code: 'copy_failed' });
    expect(children[0]?.signalCode).toBe('SIGKILL');
    await build(PRETEND.builds);
  },
);

it('one build, and nothing else, fails when no process can be started', async () => {
  const none = new BuildProcesses(() => fork(BUILDER, { execPath: '/nowhere/node', execArgv: [] }));
  const { signal } = new AbortController();
  const asked = {
    account_id: PRETEND.builds,
    night: null,
    requested_at: null,
    signal,
    onEvent: () => undefined,
  };
  await expect(none.run(asked)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('the error of a killed process says how it ended', async () => {
  await expect(build(PRETEND.dies)).rejects.toMatchObject({
    code: 'build_died',
    message: 'The build of account 3 ended with SIGKILL before it reported a result.',
  });
});

it('a process that dies after it published has built: only its comparison is missing', async () => {
  const kinds: string[] = [];
  await processes.run({
    account_id: PRETEND.dies_comparing,
    night: null,
    requested_at: null,
    signal: new AbortController().signal,
    onEvent: ({ kind }) => kinds.push(kind),
  });
  expect(kinds).toEqual(['moment.awaited', 'snapshot.published']);
  await gone(children[0]);
  // The next build has a process of its own.
  await build(PRETEND.builds);
  expect(children).toHaveLength(2);
});

it('a process that a large account has swollen is released', async () => {
  await build(PRETEND.swells);
  await gone(children[0]);
  await build(PRETEND.builds);
  expect(children).toHaveLength(2);
});

it('a process is released after a hundred builds', async () => {
  for (let builds = 0; builds < 100; builds += 1) await build(PRETEND.builds);
  expect(children).toHaveLength(1);
  await gone(children[0]);
  await build(PRETEND.builds);
  expect(children).toHaveLength(2);
});

it('a process that died while it waited is replaced', async () => {
  await build(PRETEND.builds);
  children[0]?.kill('SIGKILL');
  await gone(children[0]);
  await build(PRETEND.builds);
  expect(children).toHaveLength(2);
});

it('a process without work ends after five seconds, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await build(PRETEND.builds);
  vi.advanceTimersByTime(4_999);
  await build(PRETEND.builds);
  vi.advanceTimersByTime(4_999);
  expect(children[0]?.connected).toBe(true);
  vi.advanceTimersByTime(1);
  await gone(children[0]);
  expect(children).toHaveLength(1);
});

it('a prepared process builds the first account', async () => {
  processes.prepare();
  const first = await build(PRETEND.builds);
  expect(children.map(({ pid }) => pid)).toEqual([first]);
});

it('a prepared process ends after a minute without a build, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  processes.prepare();
  vi.advanceTimersByTime(59_999);
  expect(children[0]?.connected).toBe(true);
  vi.advanceTimersByTime(1);
  await gone(children[0]);
});

it('an abort ends a running build, and no build starts afterwards', async () => {
  const stop = new AbortController();
  const building = build(PRETEND.stands_still, stop.signal);
  stop.abort(new Error('the night is over'));
  await expect(building).rejects.toThrow('the night is over');
  expect(children[0]?.signalCode).toBe('SIGTERM');
  await expect(build(PRETEND.builds, stop.signal)).rejects.toThrow('the night is over');
  expect(children).toHaveLength(1);
});
