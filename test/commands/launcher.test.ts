/** `bin/crossfoot`: one command that works in a clone, whatever Node the machine has. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { itInSweeps } from '../support/sweeps.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly pid: number | undefined;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with the tools of the system alone: the Node of the tests is not on its path. */
function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: TOP, env: { PATH: '/usr/bin:/bin', ...env } };
    const child = execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ pid: child.pid, code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot launcher '));
  await mkdir(join(folder, 'bin'));
  await cp(join(TOP, 'bin/crossfoot'), join(folder, 'bin/crossfoot'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the launcher runs the program with the Node of npm ci, called by a link as npx calls it', async () => {
  const link = join(folder, 'linked');
  await symlink(join(TOP, 'bin/crossfoot'), link);
  expect(await run(link, ['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  const { bin } = JSON.parse(await readFile(join(TOP, 'package.json'), 'utf8')) as { bin: unknown };
  expect(bin).toEqual({ crossfoot: 'bin/crossfoot' });
});

it('becomes the program itself, so that signals reach it, and hands on arguments and exit code', async () => {
  const without = await run(join(folder, 'bin/crossfoot'), ['build']);
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toContain(`Run npm ci in ${folder}.`);

  const node = join(folder, 'node_modules/node/bin/node');
  await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true });
  await writeFile(node, '#!/bin/sh\necho "$$"\nprintf "<%s>" "$@"\nexit 7\n');
  await chmod(node, 0o755);
  // A load has a smaller young generation than a server.
  for (const [command, megabytes] of [
    ['load', 8],
    ['serve', 32],
  ] as const) {
    const { pid, code, stdout } = await run(join(folder, 'bin/crossfoot'), [command, 'my folder', '']);
    expect({ code, stdout }).toEqual({
      code: 7,
      stdout: `${pid}\n<--max-semi-space-size=${megabytes}><${join(folder, 'src/cli.ts')}><${command}><my folder><>`,
    });
  }
});

it('npx in the image runs the launcher, although npm is not there', async () => {
  const npx = join(TOP, 'bin/npx');
  for (const spelling of [['--no', 'crossfoot'], ['crossfoot']])
    expect(await run(npx, [...spelling, '--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  expect(await run(npx, ['cowsay'])).toMatchObject({
    code: 127,
    stderr: expect.stringContaining('this image has no npm'),
  });
  // The image has this folder on its path, and the clone has not.
  const dockerfile = await readFile(join(TOP, 'Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/^ENV .*PATH=\S*:\/app\/bin:/m);
  expect(dockerfile).toContain('\nCOPY bin bin\n');
});

itInSweeps('npx in a clone runs the launcher, without asking the registry', async () => {
  const npx = await run('npx', ['--no', 'crossfoot', 'nonsense'], {
    PATH: `${process.env['PATH']}`,
    npm_config_cache: join(folder, 'cache'),
  });
  expect(npx).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'nonsense'") });
});
