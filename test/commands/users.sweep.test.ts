/** Who may run the program, and beside whom. */
import { execFile } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../../src/embedded/binaries.ts';
import { Folder } from './instances.ts';
import type { As, Program } from './program.ts';
import { get, readManifest, wrongTables } from './published.ts';

const READY = /^ready /;

/** Another user than root, when we are root and that user can enter the folders of the program and of PostgreSQL. */
async function ordinaryUser(): Promise<As | null> {
  if (process.getuid?.() !== 0) return null;
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith('nobody:'));
  const [uid, gid] = (line ?? '').split(':').slice(2).map(Number);
  if (uid === undefined || gid === undefined) return null;
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
  const look = `fs.accessSync(${JSON.stringify(cli)}); fs.accessSync(${JSON.stringify(findBinaries().postgres)}, fs.constants.X_OK)`;
  return promisify(execFile)(process.execPath, ['--eval', look], { uid, gid, cwd: '/' }).then(
    () => ({ uid, gid }),
    () => null,
  );
}

let user: As | null;
let theirs: Folder;
let ours: Folder;
let programs: readonly Program[];

// Both at once: a first start beside the server of another instance.
beforeAll(async () => {
  [theirs, ours, user] = await Promise.all([Folder.make(), Folder.make(), ordinaryUser()]);
  if (user !== null) await chown(theirs.path, user.uid, user.gid);
  await ours.run(['migrate']).ended;
  programs = [theirs.run(['start'], {}, user ?? {}), ours.run(['serve'])];
  await Promise.all(programs.map((program) => program.said(READY)));
});
afterAll(async () => {
  for (const program of programs) program.signal('SIGTERM');
  await theirs[Symbol.asyncDispose]();
  await ours[Symbol.asyncDispose]();
});

it('the database runs as an ordinary user if one can reach it, else as root in a closed folder', async () => {
  const runs = await stat(join(theirs.path, 'postgres/data/postmaster.pid'));
  expect(runs.uid).toBe(user?.uid ?? process.getuid?.());
  expect(((await stat(theirs.path)).mode & 0o777).toString(8)).toBe('700');
  const { BASE_URL, TOKEN = '' } = await theirs.demo();
  const manifest = await readManifest(`${BASE_URL}/reporting/latest`, TOKEN);
  expect(await wrongTables(manifest, TOKEN)).toEqual([]);
});

it('the program runs beside another instance, which knows nothing of its tokens', async () => {
  const { TOKEN } = await theirs.demo();
  const other = (await programs[1]?.said(READY))?.replace('ready ', '');
  expect((await get(`${other}/healthz`)).status).toBe(200);
  expect((await get(`${other}/v1/reporting/latest`, TOKEN)).status).toBe(401);
});

it('a stopped server leaves no process behind, under any user', async () => {
  for (const program of programs) program.signalGroup('SIGINT');
  const outcomes = await Promise.all(programs.map((program) => program.ended));
  expect(outcomes.map(({ code, signal }) => [code, signal])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await theirs.processesLeft()).toEqual([]);
  expect(await ours.processesLeft()).toEqual([]);
});
