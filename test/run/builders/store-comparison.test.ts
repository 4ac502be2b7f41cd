/** A build stores the comparison of its snapshot with the one before, and never fails for it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { openDiffs } from '../../../src/run/server/diffs.ts';
import { openUntested } from '../../../src/run/object-store.ts';
import { compareWithBefore, type ComparedBuild } from '../../../src/run/builders/store-comparison.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/store.ts';
import { FAULTS, faultyStore } from '../../snapshot/builder/faulty-store.ts';
import { openPublishedFolder, type PublishedFolder } from '../../commands/published-folder.ts';

let folder: PublishedFolder;
let store: Store;
let ids: readonly string[];
let stored: string;

beforeAll(async () => {
  folder = await openPublishedFolder();
  const { id: first } = await folder.build();
  const owner = await folder.database.client('cf_owner');
  await owner.query(`begin; set local app.account_id = '1';
    update ledger.initiatives set title = 'Renamed' where id = (select min(id) from ledger.initiatives where account_id = 1); commit`);
  const { id: second } = await folder.build();
  ids = [first, second];
  stored = join(folder.objects, `v1/a/1/d/${first}~${second}`);
  store = await openUntested({ objectStore: pathToFileURL(folder.objects), bucket: readSettings({}).bucket });
});
afterAll(() => folder.close());

/** The second build, published and about to be compared, with a log of its own. */
function published(parts: Partial<ComparedBuild>): {
  readonly lines: string[];
  readonly run: () => Promise<void>;
} {
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line) => lines.push(line) });
  const build: ComparedBuild = {
    account_id: 1n,
    built: { outcome: 'published', seq: 2, snapshot_id: ids[1] ?? '' },
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

it('a server reads it, in both directions, and opens no engine', async () => {
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

it.each(['superseded', 'skipped'] as const)('a build that was %s compares nothing', async (outcome) => {
  const unusable = new Proxy(store, { get: () => () => Promise.reject(new Error('read')) });
  const { lines, run } = published({
    store: unusable,
    built: { outcome, seq: 2, snapshot_id: ids[1] ?? '' },
  });
  await run();
  expect(lines).toEqual([]);
});

it('the first build of an account compares nothing', async () => {
  const { lines, run } = published({ built: { outcome: 'published', seq: 1, snapshot_id: ids[0] ?? '' } });
  await run();
  expect(lines).toEqual([]);
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
