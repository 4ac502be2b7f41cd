import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPinCommand } from '../../src/commands/pin.ts';
import { addPruneCommand } from '../../src/commands/prune.ts';
import { CLOCK } from '../../src/run/machine.ts';
import { shownInstant } from '../../src/format.ts';
import { snapshotIdOf } from '../../src/snapshot/format/snapshot-id.ts';
import { refusedFolders } from '../../src/snapshot/spool/sweep.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import { aBuild, DAY, MIDNIGHT, publishNow } from '../snapshot/builder/build-harness.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Ran, runCommand } from './in-process.ts';
import { COMPILED } from './program.ts';
import { instantOf } from '../support/instant-of.ts';
import { SEED } from '../support/signing.ts';

let database: TestDatabase;
let root: string;
beforeAll(async () => {
  database = await createDatabase('template_ledger');
  root = await fs.mkdtemp(join(tmpdir(), 'crossfoot-prune-'));
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  // Long ago by any clock this test will meet: the first has expired, the last two always stay.
  for (const day of [0n, 1n, 2n])
    await publishNow(store, aBuild(`day ${day}`, MIDNIGHT + day * DAY - 365n * DAY));
});
afterAll(async () => {
  await database.drop();
  await fs.rm(root, { recursive: true });
});

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(
    addPruneCommand,
    { DATA_DIR: root, DATABASE_URL: database.url('cf_reader'), SIGNING_KEYS: SEED },
    'prune',
    ...args,
  );
}

const builds = (): Promise<string[]> => fs.readdir(join(root, 'objects/v1/a/7/s'));
const lost = (): string => join(root, 'objects/tmp/lost');

it('prune lists what it would delete and why, deletes it, and then finds nothing', async () => {
  await fs.writeFile(lost(), 'half');
  await fs.utimes(lost(), 0, 0);
  // Of 1 March 2025: 14 days, and the day of grace, counted from the second after its own.
  const line = 'account 7  20250301T000000Z  expired, 6 files: may go since 2025-03-16 00:00 UTC';

  const shown = await run('--dry-run');
  expect(shown.error).toBeUndefined();
  expect(shown.printed).toEqual([line, `left over  ${lost()}`]);
  expect(shown.said).toEqual(['1 account looked at, 1 folder of the store would go', '2 snapshots stay']);
  expect(await builds()).toHaveLength(3);

  expect(await run('--account', '8')).toMatchObject({
    printed: [],
    said: ['0 accounts looked at, 0 folders of the store gone'],
  });
  const json = await run('--json', '--account', '7');
  expect(JSON.parse(json.printed[0] ?? '')).toMatchObject({
    account_id: '7',
    snapshot_id: '20250301T000000Z',
    why: 'expired',
    files: 6,
    since: '2025-03-16 00:00 UTC',
  });
  expect(await fs.readdir(join(root, 'objects/v1/a/7/s', (await builds())[0] ?? ''))).toEqual([]);

  expect((await run()).printed).toEqual([`left over  ${lost()}`]);
  expect(await run()).toMatchObject({
    printed: [],
    said: ['1 account looked at, 0 folders of the store gone', '2 snapshots stay'],
    error: undefined,
  });
});

it('prune says what stays: pinned snapshots, when the next may go, and files of refused builds', async () => {
  const own = await fs.mkdtemp(join(tmpdir(), 'crossfoot-kept-'));
  const store = await openFolderStore({ fs, root: join(own, 'objects'), randomUuid: randomUUID });
  const now = CLOCK.now();
  const first = snapshotIdOf(now - 3n * DAY);
  for (const age of [3n, 2n, 1n]) await publishNow(store, aBuild(`${age} days old`, now - age * DAY));
  const env = { DATA_DIR: own, DATABASE_URL: database.url('cf_reader'), SIGNING_KEYS: SEED };
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const pin = ['pin', first, '--account', '7', '--name', 'close', '--until', until];
  expect((await runCommand(addPinCommand, env, ...pin)).error).toBeUndefined();
  const refused = join(own, 'spool/7/refused');
  await fs.mkdir(join(refused, 'beside'), { recursive: true });
  await fs.writeFile(join(refused, 'costs.parquet'), Buffer.alloc(1_200_000));
  // As a build that was stopped while it published leaves it.
  const stopped = `v1/a/7/s/${snapshotIdOf(now)}-${'0'.repeat(32)}`;
  await store.create(`${stopped}/costs.parquet`, Buffer.from('half'));
  const { said } = await runCommand(addPruneCommand, env, 'prune', '--dry-run');
  // The newest two stay. The first may go a day after the last day of its pin.
  const next = shownInstant(instantOf(`${until}T00:00:00.000000Z`) + 2n * DAY);
  expect(said).toEqual([
    '1 account looked at, 0 folders of the store would go',
    `3 snapshots stay; the files of the next may go after ${next}, a day after it can no longer be read`,
    `${stopped} stays: its build runs, or ended without publishing less than two days ago`,
    '1 of them pinned: npx --no crossfoot snapshots --account <id> names the pins, npx --no crossfoot unpin ends one',
    `a refused build keeps 1.2 MB until the next build; delete ${refused} to free them`,
  ]);
  await fs.rm(own, { recursive: true });
});

const lstatOfGone = async (path: string): Promise<never> => fs.lstat(`${path}.gone`) as Promise<never>;

it('prune says nothing of the files of a refused build that the next build removes meanwhile', async () => {
  const own = await fs.mkdtemp(join(tmpdir(), 'crossfoot-going-'));
  await fs.mkdir(join(own, '7/refused'), { recursive: true });
  await fs.writeFile(join(own, '7/refused/costs.parquet'), 'x');
  const told = refusedFolders({ readdir: fs.readdir, lstat: lstatOfGone } as unknown as typeof fs, own);
  expect(await Array.fromAsync(told)).toEqual([]);
  await fs.rm(own, { recursive: true });
});

/** Runs the retention job on a folder; gives its exit code and the lines of its log. */
async function retain(folder: string) {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: COMPILED,
    DATA_DIR: folder,
    DATABASE_URL: database.url('cf_reader'),
    SIGNING_KEYS: SEED,
  };
  const ended = await promisify(execFile)(process.execPath, ['jobs/retention.ts'], { env }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: unknown) => error as { readonly code: number; readonly stderr: string }, // as Node documents it
  );
  const lines = ended.stderr.trim().split('\n');
  return { code: ended.code, lines: lines.map((line) => JSON.parse(line) as unknown) };
}

it('the retention job prunes too, and logs it', async () => {
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  await publishNow(store, aBuild('day 3', MIDNIGHT - 362n * DAY));
  const { code, lines } = await retain(root);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    { event: 'files.removed', account: '7', snapshot: '20250302T000000Z', step: 'expired' },
    // The two snapshots that are left: published in 2025, and not read since.
    { event: 'scrub.completed', rows: 2, found: '0 damaged, 0 left for later' },
  ]);
});

it('the retention job ends with 1 over a damaged snapshot, although it pruned all accounts', async () => {
  const own = await fs.mkdtemp(join(tmpdir(), 'crossfoot-retained-'));
  const store = await openFolderStore({ fs, root: join(own, 'objects'), randomUuid: randomUUID });
  for (const day of [0n, 1n])
    await publishNow(store, aBuild(`day ${day}`, MIDNIGHT + day * DAY - 365n * DAY));
  const [first = ''] = (await fs.readdir(join(own, 'objects/v1/a/7/s'))).toSorted();
  await fs.writeFile(join(own, 'objects/v1/a/7/s', first, 'costs.parquet'), 'half');
  const { code, lines } = await retain(own);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { event: 'snapshot.quarantined', account: '7', snapshot: '20250301T000000Z', file: 'costs.parquet' },
    { event: 'scrub.completed', rows: 2, found: '1 damaged, 0 left for later' },
  ]);
  await fs.rm(own, { recursive: true });
});

it('prune leaves an account with a damaged log alone, says so and fails, although the other accounts are whole', async () => {
  const store = await openFolderStore({ fs, root: join(root, 'objects'), randomUuid: randomUUID });
  await publishNow(store, { ...aBuild('of another account', MIDNIGHT), account_id: 8n });
  await fs.writeFile(join(root, 'objects/v1/a/7/log/0000000002.json'), '{}');
  const ran = await run();
  expect(ran.said[0]).toMatch(
    /^account 7 was not pruned to its end: publish log of account 7: entry 2 is malformed\.$/,
  );
  expect(ran.error).toMatchObject({
    code: 'prune_incomplete',
    exitCode: 1,
    message: '1 of 2 accounts were not pruned to their end.',
  });
  expect(await builds()).toHaveLength(4);
});
