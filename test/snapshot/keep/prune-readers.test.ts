/** Snapshots that go from a real folder while many slow readers download them, as if there were no day of grace. */
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT, DAY, MIDNIGHT, SECOND, aBuild, publishNow, readerAt } from '../builder/build-harness.ts';
import { pruneNow } from './prune-harness.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const READERS = 100;
const BLOCKS = 3;
const FIRST = '20260301T000000Z';
const NEWEST = '20260303T000000Z';
/** The first was superseded on 2 March, so that it expires on 15 March and its files go a day later. */
const GONE = MIDNIGHT + 15n * DAY + SECOND;

/** A file of two whole blocks and a piece of one, no block like another. */
function costsOf(label: string): Buffer {
  const blocks = Array.from({ length: BLOCKS }, (_, block) =>
    Buffer.alloc(BLOCK_BYTES, `${label} ${block} `),
  );
  return Buffer.concat(blocks).subarray(0, (BLOCKS - 1) * BLOCK_BYTES + 17);
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let root: string;
let store: Store;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'crossfoot-readers-'));
  store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  for (const [day, label] of ['first', 'second', 'third'].entries()) {
    await publishNow(
      store,
      aBuild(label, MIDNIGHT + BigInt(day) * DAY, new Map([['costs', costsOf(label)]])),
    );
  }
});
afterEach(() => rm(root, { recursive: true }));

interface Download {
  /** Resolves once it has read as many pieces as it reads before the deletion. */
  readonly begun: Promise<void>;
  /** The digest of what came, or the code of what it was broken off with. */
  readonly end: Promise<string>;
}

/** Reads so many pieces, waits until the files are gone, and reads on, letting the others have their turns. */
function download(reader: SnapshotReader, snapshot: string, pieces: number, gone: Promise<void>): Download {
  const begun = Promise.withResolvers<void>();
  const read = async (): Promise<string> => {
    const hash = createHash('sha256');
    let left = pieces;
    const bytes = await reader.openTable(ACCOUNT, snapshot, 'costs');
    if (bytes instanceof Uint8Array) throw new Error('a file of more than a block came at once');
    for await (const piece of bytes) {
      hash.update(piece);
      left -= 1;
      if (left === 0) {
        begun.resolve();
        await gone;
      }
      await setImmediate();
    }
    return hash.digest('hex');
  };
  const end = read().catch((error: unknown) => (isCrossfootError(error) ? error.code : String(error)));
  return { begun: begun.promise, end };
}

/** What became of the downloads: how many ended in each way. */
async function deleteUnder(readerOf: () => SnapshotReader): Promise<ReadonlyMap<string, number>> {
  const gone = Promise.withResolvers<void>();
  const downloads = Array.from({ length: READERS }, (_, number) =>
    download(readerOf(), number % 2 === 0 ? FIRST : NEWEST, 1 + (number % (BLOCKS - 1)), gone.promise),
  );
  await Promise.all(downloads.map(({ begun }) => begun));
  const clock = { now: GONE };
  expect((await pruneNow(store, clock)).told).toEqual([`expired ${FIRST}`]);
  gone.resolve();
  const ends = await Promise.all(downloads.map(({ end }) => end));
  return new Map([...new Set(ends)].map((end) => [end, ends.filter((each) => each === end).length]));
}

const digests = { first: sha256(costsOf('first')), third: sha256(costsOf('third')) };

itInSweeps(
  'F-46: each reader of a folder that has begun ends with the right digest, however slow',
  async () => {
    const ends = await deleteUnder(() => readerAt(store, () => MIDNIGHT));
    expect([...ends]).toEqual([
      [digests.first, READERS / 2],
      [digests.third, READERS / 2],
    ]);
    await expect(readerAt(store, () => GONE).pinned(ACCOUNT, FIRST)).rejects.toMatchObject({
      code: 'snapshot_expired',
    });
  },
);

it('F-46: readers of one server end whole or are broken off, never short or wrong', async () => {
  const server = readerAt(store, () => MIDNIGHT);
  const ends = await deleteUnder(() => server);
  expect(ends.get(digests.third)).toBe(READERS / 2);
  const others = [...ends.keys()].filter((end) => !Object.values(digests).includes(end));
  expect(others.filter((end) => end !== 'file_corrupt')).toEqual([]);
  expect(ends.get(digests.first) ?? 0).toBeGreaterThan(0);
});
