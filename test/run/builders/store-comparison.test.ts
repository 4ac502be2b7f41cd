/** A build stores the comparison of its snapshot with the one before, never fails for it, and asks the store for little. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { openUntested } from '../../../src/run/object-store.ts';
import { compareWithBefore, type ComparedBuild } from '../../../src/run/builders/store-comparison.ts';
import type { JustPublished } from '../../../src/snapshot/builder/just-published.ts';
import type { PublishLog } from '../../../src/snapshot/format/publish-log.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import type { Store } from '../../../src/store/store.ts';
import { FAULTS, faultyStore } from '../../snapshot/builder/faulty-store.ts';
import { openPublishedFolder, type PublishedFolder } from '../../commands/published-folder.ts';
import { countCalls, sumOf } from './counted-calls.ts';

let folder: PublishedFolder;
let store: Store;
let log: PublishLog;
let ids: readonly string[];
let stored: string;
/** What each build asked its store. */
let calls: readonly Readonly<Record<string, number>>[];

beforeAll(async () => {
  folder = await openPublishedFolder();
  const counted = countCalls();
  const { id: first } = await folder.build(counted.wrap);
  const firstCalls = counted.take();
  const owner = await folder.database.client('cf_owner');
  await owner.query(`begin; set local app.account_id = '1';
    update ledger.initiatives set title = 'Renamed' where id = (select min(id) from ledger.initiatives where account_id = 1); commit`);
  const { id: second } = await folder.build(counted.wrap);
  calls = [firstCalls, counted.take()];
  ids = [first, second];
  stored = join(folder.objects, `v1/a/1/d/${first}~${second}`);
  store = await openUntested({ objectStore: pathToFileURL(folder.objects), bucket: readSettings({}).bucket });
  log = await readLog(store, 1n);
});
afterAll(() => folder.close());

/** What a build knows that published this entry, and whose spool and manifests were lost since: the store has them. */
function publishedAs(seq: number): JustPublished {
  return { seq, snapshot_id: ids[seq - 1] ?? '', log, manifests: new Map(), tables: [] };
}

/** The second build, published and about to be compared, with a log of its own. */
function published(parts: Partial<ComparedBuild>): {
  readonly lines: string[];
  readonly run: () => Promise<void>;
} {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => lines.push(line) });
  const build: ComparedBuild = {
    account_id: 1n,
    published: publishedAs(2),
    store,
    spoolRoot: join(folder.env['DATA_DIR'] ?? '', 'spool'),
    signal: new AbortController().signal,
    logger,
    ...parts,
  };
  return { lines, run: () => compareWithBefore(build) };
}

it('the second build stored the comparison with the first, and left nothing in its spool', async () => {
  expect((await readdir(stored)).toSorted()).toEqual(['changes.ndjson.gz', 'comparison.json']);
  const record = JSON.parse(await readFile(join(stored, 'comparison.json'), 'utf8')) as {
    readonly tables: readonly { readonly name: string; readonly changed: number }[];
  };
  expect(record.tables.find(({ name }) => name === 'initiatives')?.changed).toBe(1);
  expect(await readdir(join(folder.env['DATA_DIR'] ?? '', 'spool/1'))).toEqual([]);
});

// 14 tables, 12 companions, FOCUS, and 2 of month sums have a file and a list of blocks each; 9 files of the audit and of the
// sets, the manifest and 3 signatures have none: 2 × 29 + 13 = 71 objects. Each is created, and read back.
const OBJECTS = { 'create snapshot': 71, 'readSmall snapshot': 71, 'create log': 1 };
const PROBE = { 'create probe': 1, 'stat probe': 1, 'delete probe': 1 };

it('the first build of a process asks the store 151 times: for its objects, the log and its clock', () => {
  const PROBES = { 'create probe': 2, 'stat probe': 2, 'delete probe': 2 };
  expect(calls[0]).toEqual({ ...OBJECTS, ...PROBES, 'list log': 1, 'readSmall log': 1 });
  expect(sumOf(calls[0] ?? {})).toBe(151);
});

it('a later build asks the store 170 times: it reads again neither its log, nor its files and manifests', () => {
  expect(calls[1]).toEqual({
    ...OBJECTS,
    ...PROBE,
    'list log': 1,
    'readSmall log': 2, // the entry of the night before, and none after it
    'readSmall snapshot': 72, // the manifest of the night before
    'list marks': 1,
    'readSmall marks': 1,
    'readRange snapshot': 14, // the tables of the night before
    'create comparison': 2,
    'readSmall comparison': 2,
  });
  expect(sumOf(calls[1] ?? {})).toBe(170);
});

it('a server reads the stored comparison, in both directions, and opens no engine', async () => {
  const reader = createReader({ store, now: () => BigInt(Date.now()) * 1000n, onFault: () => undefined });
  const [from, to] = [await reader.pinned(1n, ids[0] ?? ''), await reader.pinned(1n, ids[1] ?? '')];
  if (from === null || to === null) throw new Error('two snapshots are published');
  const unread: unknown[] = [];
  // Tables cannot be opened, so nothing can be compared.
  const snapshots = { openTable: () => Promise.reject(new Error('compared')) };
  const diffs = await openDiffs(
    { snapshots, root: join(folder.env['DATA_DIR'] ?? '', 'diffs') },
    { store, log: reader, onUnread: (_, error) => void unread.push(error) },
  );
  for (const [first, second] of [
    [from, to],
    [to, from],
  ] as const) {
    const page = await diffs.use(1n, first, second, (diff) => diff.page(0, 100, 'initiatives'));
    const titles = page.changes.map(({ before, after }) => [before?.['title'], after?.['title']]);
    expect(titles.flat()).toContain('Renamed');
  }
  expect(unread).toEqual([]);
  await diffs.close();
});

it('the first build of an account compares nothing, and asks the store for nothing', async () => {
  const unusable = new Proxy(store, { get: () => () => Promise.reject(new Error('read')) });
  const { lines, run } = published({ store: unusable, published: publishedAs(1) });
  await run();
  expect(lines).toEqual([]);
});

it('a file of the spool that changed since its audit is compared with nothing: it is logged', async () => {
  const content = {
    ...contentOfBytes(Buffer.from('other')),
    sha256: '0'.repeat(64),
    blocks: new Uint8Array(),
  };
  const tables = [{ name: 'costs', row_count: 1, content }];
  const { lines, run } = published({ published: { ...publishedAs(2), tables } });
  await run();
  expect(lines.join('')).toMatch(/store_checksum_mismatch.*comparison\.unstored/);
});

it.each(FAULTS)('a store that %s at its first calls fails no build: it is logged', async (fault) => {
  for (const call of [1, 2, 3]) {
    const stopping = new AbortController();
    const faulty = faultyStore(store, fault, call);
    // A store that went silent would be asked again for two minutes: the build is stopped meanwhile.
    const silent = { ...faulty, readSmall: stopsAtFault(faulty, stopping) };
    const { lines, run } = published({ store: silent, signal: stopping.signal });
    await run();
    expect(lines.join('')).toMatch(/comparison\.(?:unstored|stored)/);
  }
});

function stopsAtFault(faulty: Store, stopping: AbortController): Store['readSmall'] {
  return (key, cap) =>
    faulty.readSmall(key, cap).catch((error: unknown) => {
      stopping.abort(new Error('stopped'));
      throw error;
    });
}

it('a build that is stopped meanwhile has published: the stop is logged', async () => {
  const { lines, run } = published({ signal: AbortSignal.abort(new Error('stopped')) });
  await run();
  expect(lines.join('')).toContain('comparison.unstored');
});
