import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ensureCluster } from '../../src/embedded/cluster.ts';

const failingLaunch = (): readonly [string, string[]] => ['/bin/false', []];

it('a cluster starts while the initdb of a killed start still writes to its own folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-cluster-'));
  const attempts: string[] = [];
  const initdb = (program: string, args: readonly string[]): readonly [string, string[]] => {
    attempts.push(args.find((arg) => arg.startsWith('--pgdata=')) ?? '');
    return [program, [...args]];
  };
  // A program that fails, as initdb does that is killed: its folder is left.
  const failing = { folder, initdb: '/bin/false', launch: initdb, durable: false };
  await expect(ensureCluster(failing)).rejects.toMatchObject({ code: 'embedded_failed' });
  await expect(ensureCluster(failing)).rejects.toMatchObject({ code: 'embedded_failed' });
  const [first, second] = attempts.map((attempt) => attempt.replace('--pgdata=', ''));
  expect(first).toMatch(`${folder}/data.new`);
  expect(second).not.toBe(first);
  // What is left of earlier attempts goes with the next start.
  await mkdir(first ?? '');
  await expect(ensureCluster(failing)).rejects.toMatchObject({ code: 'embedded_failed' });
  expect(await readdir(folder)).toEqual(['superuser.password']);
  await rm(folder, { recursive: true });
});

it('the error of a cluster has the last line of an initdb that fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-cluster-'));
  const script = 'echo "creating directory" >&2; echo "initdb: error: no room" >&2; exit 1';
  const launch = (): readonly [string, string[]] => ['/bin/sh', ['-c', script]];
  await expect(ensureCluster({ folder, initdb: 'initdb', launch, durable: false })).rejects.toMatchObject({
    message: expect.stringMatching(/: initdb: error: no room$/),
  });
  await rm(folder, { recursive: true });
});

it('a cluster is made although an older folder cannot be removed, because its initdb still writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-cluster-'));
  const left = join(folder, 'data.new-of-a-killed-start');
  await mkdir(left);
  const writing = `while :; do i=$((i + 1)); : > "${left}/$i" || exit; done`;
  const writer = spawn('/bin/sh', ['-c', writing], { stdio: 'ignore' });
  const ended = once(writer, 'exit');
  // Also if the test fails: the writer would fill the disk.
  onTestFinished(async () => {
    writer.kill();
    await ended;
    await rm(folder, { recursive: true });
  });
  await expect.poll(async () => (await readdir(left)).length).toBeGreaterThan(100);
  const failing = ensureCluster({ folder, initdb: 'initdb', launch: failingLaunch, durable: false });
  // The new initdb started, and failed.
  await expect(failing).rejects.toMatchObject({ code: 'embedded_failed' });
});
