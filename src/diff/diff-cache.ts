/** A cache of comparisons. Snapshots never change, so a comparison of two stays valid. */
import { DISK_BUDGET } from '../cache-budget.ts';
import type { After } from '../concurrency-limit.ts';
import type { ReadableSnapshot } from '../snapshot/format/served-manifest.ts';
import { type Change, mirrored } from './change.ts';
import type { ChangesFile, TableChanges } from './changes-file.ts';
import type { Pair } from './compare.ts';
import { limitComparisons } from './comparison-limit.ts';
import { heldCache } from './held-cache.ts';

/** Each holds an open file. */
const MAX_ENTRIES = 16;
/** So many comparisons of an account may wait. */
const MAX_WAITING = 8;
const ROWS_READ = 500;

/** What changed from one snapshot to another. */
export interface SnapshotDiff {
  readonly tables: readonly TableChanges[];
  /** At most `limit` rows from `first`, of one table, or of all tables in published order. */
  page(first: number, limit: number, table?: string): Promise<DiffPage>;
}

interface DiffPage {
  readonly changes: readonly Change[];
  /** The first row of the next page; null on the last page. */
  readonly next: number | null;
}

export interface Diffs {
  /** Calls `run` with the comparison of two snapshots of the account, in either direction; afterwards it may be evicted. */
  use<Result>(
    account_id: bigint,
    from: ReadableSnapshot,
    to: ReadableSnapshot,
    work: (diff: SnapshotDiff) => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** Caches the results of `compare`, up to the limits. Without `after` a comparison waits as long as it must. */
export function cacheDiffs(compare: (pair: Pair) => Promise<ChangesFile>, after?: After): Diffs {
  const limit = limitComparisons({ most: MAX_WAITING, after });
  const cache = heldCache<ChangesFile>({ max_entries: MAX_ENTRIES, max_bytes: DISK_BUDGET.comparisons });
  return {
    async use(account_id, from, to, work) {
      if (from.snapshot_id === to.snapshot_id) return await work(nothingChanged(from));
      const backwards = from.snapshot_id > to.snapshot_id;
      const pair = backwards
        ? { account_id, earlier: to, later: from }
        : { account_id, earlier: from, later: to };
      const key = `${account_id} ${pair.earlier.snapshot_id} ${pair.later.snapshot_id}`;
      const make = (): Promise<ChangesFile> => limit.run(account_id, () => compare(pair));
      return await cache.use(key, make, (file) => work(diffIn(file, backwards)));
    },
    close: () => cache.clear(),
  };
}

/** Every changed row, of one table or of all tables, read page by page: they may not fit into memory. */
export async function* changesOf(diff: SnapshotDiff, table?: string): AsyncGenerator<Change> {
  for (let first: number | null = 0; first !== null;) {
    const { changes, next } = await diff.page(first, ROWS_READ, table);
    yield* changes;
    first = next;
  }
}

/**
 * Streams what `read` yields of a comparison, which stays in the cache until the stream ends or is returned. The first piece
 * must be taken: an unstarted generator ends without letting the comparison go.
 */
export async function* streamOf<Piece>(
  diffs: Diffs,
  { account_id, from, to }: { account_id: bigint; from: ReadableSnapshot; to: ReadableSnapshot },
  read: (diff: SnapshotDiff) => AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  const opened = Promise.withResolvers<SnapshotDiff>();
  const ended = Promise.withResolvers<void>();
  const used = diffs.use(account_id, from, to, async (diff) => {
    opened.resolve(diff);
    await ended.promise;
  });
  used.catch(opened.reject);
  try {
    yield* read(await opened.promise);
  } finally {
    ended.resolve();
    await used.catch(() => undefined); // its error was thrown above
  }
}

function nothingChanged({ tables }: ReadableSnapshot): SnapshotDiff {
  return {
    tables: tables.map(({ name }) => ({ name, added: 0, removed: 0, changed: 0 })),
    page: () => Promise.resolve({ changes: [], next: null }),
  };
}

function diffIn(file: ChangesFile, backwards: boolean): SnapshotDiff {
  const places = new Map<string, readonly [first: number, end: number]>();
  let rows = 0;
  for (const table of file.tables) places.set(table.name, [rows, (rows += rowsOf(table))]);
  return {
    tables: backwards
      ? file.tables.map((table) => ({ ...table, added: table.removed, removed: table.added }))
      : file.tables,
    async page(first, limit, table) {
      const [start, end] = table === undefined ? [0, rows] : (places.get(table) ?? [0, 0]);
      const from = start + first;
      const through = Math.min(from + limit, end);
      const changes = await file.read(from, through);
      return {
        changes: backwards ? changes.map(mirrored) : changes,
        next: through < end ? first + limit : null,
      };
    },
  };
}

function rowsOf({ added, removed, changed }: TableChanges): number {
  return added + removed + changed;
}
