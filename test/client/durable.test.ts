/** The order of renames and flushes of `pull.mjs`, or of the program that PULL_PROGRAM names: what a power cut leaves. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PullProgram } from './pull-program.ts';
import { type ScriptedServer, SNAPSHOT_ID, startScripted, TABLES } from './scripted-server.ts';
import { tracePull } from './traced-pull.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const PARTIAL = `.partial-${SNAPSHOT_ID}`;
const FILES = Object.keys(TABLES).map((name) => `${name}.parquet`);

const RENAMED = `rename ${PARTIAL} ${SNAPSHOT_ID}`;
const LINK = 'rename .latest latest';
const CONTROL = 'rename latest.json.fresh latest.json';

let to: string;
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server.close());
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-durable-'));
});
afterEach(() => rm(to, { recursive: true }));

const pull = (killBefore?: string) => tracePull(PROGRAM, server.url, to, killBefore);

/** Where a call stands among those before another one; -1 for none. */
function before(calls: readonly string[], last: string, call: string): number {
  expect(calls).toContain(last);
  return calls.slice(0, calls.indexOf(last)).lastIndexOf(call);
}

describe(`a pull by ${PROGRAM}`, () => {
  it('flushes each file, then their folder, before the folder is renamed', async () => {
    const { code, calls } = await pull();
    expect(code).toBe(0);
    const manifest = before(calls, RENAMED, `flush ${PARTIAL}/manifest.json.fresh`);
    expect(manifest).toBeGreaterThanOrEqual(0);
    const folder = before(calls, RENAMED, `flush ${PARTIAL}`);
    // The last name that the folder gets is that of the manifest.
    expect(folder).toBeGreaterThan(
      calls.indexOf(`rename ${PARTIAL}/manifest.json.fresh ${PARTIAL}/manifest.json`),
    );
    for (const name of FILES) {
      const file = before(calls, RENAMED, `flush ${PARTIAL}/${name}`);
      expect([name, file >= 0 && file < folder]).toEqual([name, true]);
    }
  });

  it('flushes the renamed folder, then swaps the link, then the control file, and flushes that', async () => {
    const { calls } = await pull();
    const renamed = calls.indexOf(RENAMED);
    const [flushed, linked, told] = [
      calls.indexOf('flush .', renamed),
      calls.indexOf(LINK),
      calls.indexOf(CONTROL),
    ];
    expect([renamed >= 0, flushed > renamed, linked > flushed, told > linked]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(before(calls, CONTROL, 'flush latest.json.fresh')).toBeGreaterThan(renamed);
    expect(calls.lastIndexOf('flush .')).toBeGreaterThan(told);
  });

  it.each(FILES)('flushes %s also where a killed pull had written its last byte', async (name) => {
    expect((await pull(`flush ${PARTIAL}/${name}`)).code).toBeNull();
    const { code, calls } = await pull();
    expect([code, before(calls, RENAMED, `flush ${PARTIAL}/${name}`) >= 0]).toEqual([0, true]);
  });

  it('flushes the folder before the control file also where a killed pull had renamed it', async () => {
    expect((await pull('flush .')).code).toBeNull();
    expect((await readdir(to)).filter((name) => !name.startsWith('.'))).toEqual([SNAPSHOT_ID]);
    const { code, calls } = await pull();
    expect(code).toBe(0);
    for (const flushed of [`flush ${SNAPSHOT_ID}`, 'flush .']) {
      expect([flushed, before(calls, CONTROL, flushed) >= 0]).toEqual([flushed, true]);
    }
  });

  it('is pointed to by latest and named by the control file after a kill between both', async () => {
    expect((await pull(CONTROL)).code).toBeNull();
    expect((await readdir(to)).toSorted()).toContain('latest');
    expect(await readdir(to)).not.toContain('latest.json');
    const { code } = await pull();
    expect([code, (await readdir(to)).toSorted()]).toEqual([0, [SNAPSHOT_ID, 'latest', 'latest.json']]);
  });
});
