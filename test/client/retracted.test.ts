/** What `pull.mjs`, or the program that PULL_PROGRAM names, does about a snapshot that was retracted. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullProgram, type PullRun, runPull } from './pull-program.ts';
import { manifestOf, type ScriptedServer, SNAPSHOT_ID, startScripted } from './scripted-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const AFTER = '20260716T020000Z';

let to: string;
let server: ScriptedServer;
let retraction: { readonly reason: string; readonly replaced_by: string | null } | null;
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-pull-'));
  retraction = { reason: 'A bill was loaded\ntwice.', replaced_by: AFTER };
  server = await startScripted((request, response) => {
    if (request.url?.includes('/files/') === true || request.url?.endsWith('.parquet') === true) return false;
    response.end(JSON.stringify(manifestOf({ retraction })));
    return true;
  });
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

function pull(...args: readonly string[]): Promise<PullRun> {
  return runPull(PROGRAM, 'a token', '--url', server.url, '--to', to, ...args);
}

describe(`a pull by ${PROGRAM}`, () => {
  it('refuses a retracted snapshot on one line: why, what to pull instead, and what brings it all the same', async () => {
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([
      3,
      `pull: Snapshot ${SNAPSHOT_ID} was retracted: A bill was loaded twice. Pull ${AFTER} instead. --retracted pulls it all the same.\n`,
    ]);
    expect(await readdir(to)).toEqual([]);
    expect(server.asked).toHaveLength(1);
  });

  it('refuses a retracted snapshot even if it was pulled before, and leaves the pulled files', async () => {
    retraction = null;
    expect((await pull()).code).toBe(0);
    const before = await readFile(join(to, 'latest.json'), 'utf8');
    // Without a full stop, as people write it, and with a sign that would clear a terminal.
    retraction = { reason: 'A bill\u001B[2J was loaded twice', replaced_by: null };
    const { code, stderr } = await pull();
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('A bill [2J was loaded twice. --retracted pulls'),
    ]);
    expect(await readFile(join(to, 'latest.json'), 'utf8')).toBe(before);
  });

  it.each([[[]], [['--snapshot', SNAPSHOT_ID]]])(
    'pulls a retracted snapshot with --retracted, and says that it was retracted: %j',
    async (named) => {
      const { code, stderr } = await pull('--retracted', ...named);
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(`pull: snapshot ${SNAPSHOT_ID} was retracted: A bill was loaded twice.\n`),
      ]);
      expect(await readdir(join(to, SNAPSHOT_ID))).toContain('costs.parquet');
    },
  );
});
