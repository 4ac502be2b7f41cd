/** The second of everything of `pull.mjs`, or of the program that PULL_PROGRAM names: night, folder, table, and log entry. */
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullProgram, type PullRun, runPull } from './pull-program.ts';
import { sha256, TABLES } from './scripted-server.ts';
import { nightId, type SignedServer, startSigned } from './signed-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const LATEST = '/v1/reporting/latest';
const FIRST_ENTRY = `/v1/reporting/snapshots/${nightId(0)}/files/log-entry.json`;

let to: string;
let server: SignedServer;
beforeEach(async () => {
  [to, server] = [await mkdtemp(join(tmpdir(), 'crossfoot-nights-')), await startSigned(null)];
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pull = (...args: readonly string[]): Promise<PullRun> =>
  runPull(PROGRAM, 'a token', '--url', server.url, '--to', to, ...args);
const inFolder = (name: string): Promise<string> => readFile(join(to, name), 'utf8');
const answer = (path: string): string => server.files.get(path) ?? '';

/** What a reader sees: the folders, where `latest` points, and which snapshot the control file names. */
async function seen(): Promise<object> {
  const { snapshot_id, folder } = JSON.parse(await inFolder('latest.json')) as Record<string, unknown>;
  const names = (await readdir(to)).filter((name) => !name.startsWith('.')).toSorted();
  return { names, latest: await readlink(join(to, 'latest')), snapshot_id, folder };
}
const newest = (night: number, ...nights: readonly number[]): object => ({
  names: [...nights.map(nightId), 'latest', 'latest.json'],
  latest: nightId(night),
  snapshot_id: nightId(night),
  folder: nightId(night),
});

describe(`a pull by ${PROGRAM} of a second night`, () => {
  it('puts the second folder beside the first, and moves latest and the control file to it', async () => {
    expect((await pull()).code).toBe(0);
    expect(await seen()).toEqual(newest(0, 0));
    server.publish(null);
    expect((await pull()).stdout).toBe(`${join(to, nightId(1))}\n`);
    expect(await seen()).toEqual(newest(1, 0, 1));
    expect(await pull()).toMatchObject({ code: 10, stdout: `${join(to, nightId(1))}\n` });
  });

  it('leaves latest, control file and newest entry as they are when it is asked for the first by its id', async () => {
    server.publish(null);
    expect((await pull()).code).toBe(0);
    const control = await inFolder('latest.json');
    expect(await pull('--snapshot', nightId(0))).toMatchObject({
      code: 0,
      stdout: `${join(to, nightId(0))}\n`,
    });
    expect([await seen(), await inFolder('latest.json')]).toEqual([newest(1, 0, 1), control]);
    server.files.set(LATEST, answer(LATEST.replace('latest', `snapshots/${nightId(0)}`)));
    expect(await pull()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the newest entry of the publish log is 1, and the last pull saw 2'),
    });
  });

  it('remembers nothing of an entry whose files it could not bring', async () => {
    expect((await pull()).code).toBe(0);
    const [head, control] = [await inFolder('.log-head.json'), await inFolder('latest.json')];
    server.publish(null);
    const costs = `/v1/reporting/snapshots/${nightId(1)}/costs.parquet`;
    server.files.set(costs, 'longer than it is '.repeat(20));
    expect((await pull()).code).toBe(3);
    expect([await inFolder('.log-head.json'), await inFolder('latest.json')]).toEqual([head, control]);
    expect(await seen()).toEqual(newest(0, 0));
    server.files.delete(costs);
    expect((await pull()).code).toBe(0);
    expect(await seen()).toEqual(newest(1, 0, 1));
  });

  it('brings both of two named tables, and refuses both if one table does not exist', async () => {
    const both = Object.keys(TABLES).join(',');
    expect(await pull('--tables', `${both},cost`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no table cost.'),
    });
    expect(await readdir(to)).toEqual([]);
    expect((await pull('--tables', both)).code).toBe(0);
    expect(await readdir(join(to, nightId(0)))).toEqual(
      expect.arrayContaining(Object.keys(TABLES).map((table) => `${table}.parquet`)),
    );
  });
});

/** What the pull says of an entry that was changed so. */
async function saidOf(changed: (text: string) => string): Promise<string> {
  server.files.set(FIRST_ENTRY, changed(answer(FIRST_ENTRY)));
  const { code, stderr } = await pull();
  expect([code, await readdir(to)]).toEqual([3, []]);
  return stderr;
}
const MALFORMED = 'pull: An entry of the publish log is malformed.\n';

const refusedWith = (sentence: string) => [3, expect.stringContaining(`${sentence}.`), true, newest(0, 0)];

describe(`the log that ${PROGRAM} follows without a key`, () => {
  type Change = (path: (seq: number) => string) => void;
  /** Each changes what the server says of three nights, of which the folder has seen the first; two always run. */
  const always: readonly (readonly [string, Change, string])[] = [
    [
      'has another entry between',
      (path) => server.files.set(path(2), answer(path(2)).replace('"test"', '"tesu"')),
      'entry 3 of the publish log does not follow the one before it',
    ],
    [
      'has another newest entry than the snapshot',
      (path) => server.files.set(path(3), answer(path(3)).replace('"test"', '"tesu"')),
      'the log has another entry 3',
    ],
  ];
  const others: readonly (readonly [string, Change, string])[] = [
    [
      'lacks an entry between',
      (path) => server.files.delete(path(2)),
      'entry 2 of the publish log is gone: the log went back',
    ],
    [
      'sends one entry for the number of another',
      (path) => server.files.set(path(2), answer(path(3))),
      'entry 2 of the publish log does not follow the one before it',
    ],
  ];
  /** What a pull says after the change, and what the folder shows and remembers then. */
  async function saidAfter(change: Change): Promise<readonly unknown[]> {
    await pull();
    const head = await inFolder('.log-head.json');
    server.publish(null);
    server.publish(null);
    change((seq) => `/v1/reporting/log/${seq}`);
    const { code, stderr } = await pull();
    return [code, stderr, (await inFolder('.log-head.json')) === head, await seen()];
  }

  it.each(always)('is refused when it %s', async (_, change, sentence) => {
    expect(await saidAfter(change)).toEqual(refusedWith(sentence));
  });

  it.each(others)('is refused when it %s', async (_, change, sentence) => {
    expect(await saidAfter(change)).toEqual(refusedWith(sentence));
  });

  it('is refused from an older snapshot on, too, when the newest entry seen is gone or another', async () => {
    server.publish(null);
    expect((await pull()).code).toBe(0);
    const second = answer('/v1/reporting/log/2');
    server.files.set('/v1/reporting/log/2', second.replace('"test"', '"tesu"'));
    const older = ['--snapshot', nightId(0)];
    expect((await pull(...older)).stderr).toContain(
      'entry 2 of the publish log is another than at the last pull',
    );
    server.files.delete('/v1/reporting/log/2');
    expect((await pull(...older)).stderr).toContain('entry 2 of the publish log is gone');
    server.files.set('/v1/reporting/log/2', second);
    expect((await pull(...older)).code).toBe(0);
    expect((await pull(...older)).code).toBe(10);
    // Also once its files are here: the last pull that saw the log saw another snapshot.
    server.files.delete('/v1/reporting/log/2');
    expect((await pull(...older)).code).toBe(3);
  });

  it('stands beside an unsigned snapshot: its entry and its manifest, without a signature and without a key', async () => {
    expect((await pull()).code).toBe(0);
    const files = [...Object.keys(TABLES).map((table) => `${table}.parquet`), 'manifest.json'];
    expect((await readdir(join(to, nightId(0)))).toSorted()).toEqual(
      [...files, 'log-entry.json', 'signed-manifest.json'].toSorted(),
    );
    const entry = answer(FIRST_ENTRY);
    expect(await inFolder(`${nightId(0)}/log-entry.json`)).toBe(entry);
    expect(await inFolder(`${nightId(0)}/signed-manifest.json`)).toBe(
      answer(FIRST_ENTRY.replace('log-entry', 'manifest')),
    );
    expect(JSON.parse(await inFolder('.log-head.json'))).toEqual({
      seq: 1,
      sha256: sha256(Buffer.from(entry)),
      snapshot_id: nightId(0),
    });
    expect(await readdir(to)).not.toContain('.allowed_signers');
  });

  it('is refused when the manifest of its entry is gone', async () => {
    server.files.delete(FIRST_ENTRY.replace('log-entry', 'manifest'));
    expect(await saidOf((text) => text)).toBe(
      'pull: The snapshot is refused: its log entry names another manifest.\n',
    );
  });

  it('is refused when the entry of this very snapshot is another than before', async () => {
    expect((await pull('--tables', 'costs')).code).toBe(0);
    server.files.set(FIRST_ENTRY, answer(FIRST_ENTRY).replace('"test"', '"tesu"'));
    expect(await pull()).toMatchObject({
      code: 3,
      stderr: 'pull: The snapshot is refused: entry 1 of the publish log is another than at the last pull.\n',
    });
    expect(await readdir(join(to, nightId(0)))).not.toContain('snapshot.parquet');
  });

  it('is refused when a newer entry vouches for the manifest of an older night', async () => {
    server.publish(null);
    server.files.set(FIRST_ENTRY, answer('/v1/reporting/log/2'));
    expect(await pull('--snapshot', nightId(0))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('its log entry names another manifest.'),
    });
  });

  // An entry without a number would be compared with none that the folder has seen.
  it('is refused when its newest entry has no number', async () => {
    expect(await saidOf((text) => text.replace(/"seq":1,?/, ''))).toBe(MALFORMED);
  });

  it.each([
    ['no JSON', () => 'no JSON'],
    ['no object', () => 'null'],
    ['half a number', (text: string) => text.replace('"seq":1', '"seq":1.5')],
    ['a number that is a text', (text: string) => text.replace('"seq":1', '"seq":"1"')],
    ['no entry before it', (text: string) => text.replace(/"prev_sha256":"\w+"/, '"prev_sha256":0')],
  ])('is refused when its newest entry has %s', async (_, changed) => {
    expect(await saidOf(changed)).toBe(MALFORMED);
  });

  it('is refused when the entry that the folder remembers is damaged, with the next step', async () => {
    expect((await pull()).code).toBe(0);
    const { seq, sha256: digest } = JSON.parse(await inFolder('.log-head.json')) as Record<string, unknown>;
    for (const head of ['', JSON.stringify({ seq: String(seq), sha256: digest, snapshot_id: nightId(0) })]) {
      await writeFile(join(to, '.log-head.json'), head);
      expect(await pull()).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('is damaged. Delete it if the log of the server is right.'),
      });
    }
    await rm(join(to, '.log-head.json'));
    expect((await pull()).code).toBe(10);
  });
});
