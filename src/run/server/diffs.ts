/** Compares snapshots with the real disk, and with the audit engine, loaded when first needed. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { compareSnapshots, type CompareTools, type Pair } from '../../diff/compare.ts';
import { readOrCompare, type StoredComparisons } from '../../diff/stored-comparison.ts';
import type { ChangesFile } from '../../diff/changes-file.ts';
import { type Diffs, cacheDiffs } from '../../diff/diff-cache.ts';
import { cacheFeeds, type Feeds } from '../../diff/feed-cache.ts';
import { feedScripts, writeFeed } from '../../diff/feed-file.ts';
import { readSqlFiles } from '../../ledger/migrate/files.ts';
import { later } from '../../serve/limits/figure-slots.ts';
import { SCHEMA_FOLDER } from '../../ledger/schema-folder.ts';
import { type SqlScript, sqlScripts } from '../../sql-scripts.ts';

type Given = Pick<CompareTools, 'snapshots' | 'signal' | 'root' | 'memoryLimit'>;

/** The tools of a comparison, with the real disk. */
export async function openCompareTools(given: Given): Promise<CompareTools> {
  return { ...given, fs, sql: await sqlOf('diff'), openEngine: openLater };
}

/** Returns the function that compares a pair of snapshots, or reads the stored comparison if `stored` says where. */
export async function openComparing(
  given: Given,
  stored?: StoredComparisons,
): Promise<(pair: Pair) => Promise<ChangesFile>> {
  const tools = await openCompareTools(given);
  return (pair) =>
    stored === undefined ? compareSnapshots(pair, tools) : readOrCompare(pair, stored, tools);
}

/** Loading the engine takes tens of megabytes, so a server without comparisons does not load it. */
const openLater: CompareTools['openEngine'] = async (options) =>
  (await import('../../snapshot/audit/engine.ts')).openEngine(options);

/** The comparisons of a server; closing stops the running one. */
export async function openDiffs(given: Omit<Given, 'signal'>, stored?: StoredComparisons): Promise<Diffs> {
  return await stopOnClose(async (signal) =>
    cacheDiffs(await openComparing({ ...given, signal }, stored), later),
  );
}

/** The change feed of a server; closing stops the running comparison. */
export async function openFeeds(given: Omit<Given, 'signal'>): Promise<Feeds> {
  const [diff, feed] = await Promise.all([sqlOf('diff'), sqlOf('feed')]);
  const sql = feedScripts(diff, feed);
  return await stopOnClose(async (signal) =>
    cacheFeeds((pair) => writeFeed(pair, { ...given, fs, sql, openEngine: openLater, signal }), later),
  );
}

async function sqlOf(folder: string): Promise<readonly SqlScript[]> {
  return sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, folder)));
}

/** What `open` opens; closing it raises the signal first. */
async function stopOnClose<Open extends { close(): Promise<void> }>(
  open: (signal: AbortSignal) => Promise<Open>,
): Promise<Open> {
  const stopping = new AbortController();
  const opened = await open(stopping.signal);
  return {
    ...opened,
    close: () => {
      stopping.abort();
      return opened.close();
    },
  };
}
