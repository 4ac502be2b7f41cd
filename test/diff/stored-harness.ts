/** A comparison stored for two published snapshots, its objects, and readers that must not compare by themselves. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Change } from '../../src/diff/change.ts';
import { type CompareTools, type Pair, withComparison } from '../../src/diff/compare.ts';
import { storeComparison } from '../../src/diff/store-comparison.ts';
import { readOrCompare } from '../../src/diff/stored-comparison.ts';
import type { TableChanges } from '../../src/diff/changes-file.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import type { Store, StoreReader } from '../../src/store/store.ts';
import { clockAt } from '../snapshot/builder/build-harness.ts';
import { memoryStore } from '../store/memory-store.ts';

/** A whole comparison, as a reader has it. */
export interface WholeDiff {
  readonly tables: readonly TableChanges[];
  readonly changes: readonly Change[];
  /** Why the stored comparison was not read; null if it was, or none was there. */
  readonly unread: unknown;
}

/** Reads through the reader's own door. `tools` may refuse to compare. */
export async function readDiff(
  store: StoreReader,
  pair: Pair,
  tools: CompareTools,
  now: bigint,
): Promise<WholeDiff> {
  const log = createReader({ store, now: () => now, onFault: () => undefined });
  let unread: unknown = null;
  const onUnread = (_: Pair, error: unknown): void => void (unread = error);
  const file = await readOrCompare(pair, { store, log, onUnread }, tools);
  try {
    return { tables: file.tables, changes: await file.read(0, Number.MAX_SAFE_INTEGER), unread };
  } finally {
    await file.close();
  }
}

/** Tools whose engine refuses to open: only a stored comparison can be read. */
export function withoutEngine(tools: CompareTools): CompareTools {
  return { ...tools, openEngine: () => Promise.reject(new Error('compared')) };
}

/** Tools whose engine writes these rows and counts at once, as the real one did before. */
export function withAnswer(
  tools: CompareTools,
  rows: Uint8Array,
  tables: readonly TableChanges[],
): CompareTools {
  const counts = tables.flatMap(({ name, ...counted }) =>
    Object.entries(counted).map(([change, count]) => ({ table_name: name, change, rows: String(count) })),
  );
  const openEngine: CompareTools['openEngine'] = async ({ directory }) => ({
    run: async () => undefined,
    rows: async (sql) => {
      if (!sql.includes('from changes')) return [];
      await writeFile(join(directory, 'changes.ndjson'), rows);
      return counts;
    },
    interrupt: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  });
  return { ...tools, openEngine };
}

/** Stores the comparison; the store's own clock is `now`. */
export async function storeNow(store: Store, pair: Pair, tools: CompareTools, now: bigint) {
  const log = createReader({ store, now: () => now, onFault: () => undefined });
  return await storeComparison(pair, { ...tools, store, log, clock: clockAt(now) });
}

/** The rows that a comparison writes now, byte for byte. */
export async function rowsNow(pair: Pair, tools: CompareTools): Promise<Buffer> {
  return await withComparison(pair, tools, async ({ path }) => {
    const handle = await tools.fs.open(path);
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  });
}

/** The stored rows, unpacked. */
export function rowsIn(objects: ReadonlyMap<string, Uint8Array>): Buffer {
  const [packed] = [...objects].filter(([key]) => key.endsWith('/changes.ndjson.gz'));
  return gunzipSync(packed?.[1] ?? new Uint8Array());
}

/** The same objects in another store, each test with its own. */
export function storeOf(objects: ReadonlyMap<string, Uint8Array>): {
  readonly store: Store;
  readonly objects: Map<string, Uint8Array>;
} {
  const copy = new Map(objects);
  return { store: memoryStore(copy), objects: copy };
}
