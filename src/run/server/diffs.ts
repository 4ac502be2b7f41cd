/** Compares snapshots with the real disk, and with the audit engine, loaded when first needed. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { compareSnapshots, type CompareTools, type Pair } from '../../diff/compare.ts';
import type { ChangesFile } from '../../diff/changes-file.ts';
import { type Diffs, cacheDiffs } from '../../diff/diff-cache.ts';
import { cacheFeeds, type Feeds } from '../../diff/feed-cache.ts';
import { feedScripts, writeFeed } from '../../diff/feed-file.ts';
import { readSqlFiles } from '../../ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../ledger/migrate/schema-folder.ts';
import { sqlScripts } from '../../sql-scripts.ts';

type Given = Pick<CompareTools, 'snapshots' | 'signal' | 'root'>;

/** Returns the function that compares a pair of snapshots. */
export async function openComparing(given: Given): Promise<(pair: Pair) => Promise<ChangesFile>> {
  const sql = sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, 'diff')));
  return (pair) => compareSnapshots(pair, { ...given, fs, sql, openEngine: openLater });
}

/** The change feed of a server; closing stops the running comparison. */
export async function openFeeds(given: Omit<Given, 'signal'>): Promise<Feeds> {
  const stopping = new AbortController();
  const [diff, feed] = await Promise.all(
    ['diff', 'feed'].map(async (folder) => sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, folder)))),
  );
  const sql = feedScripts(diff ?? [], feed ?? []);
  const tools = { ...given, fs, sql, openEngine: openLater, signal: stopping.signal };
  const feeds = cacheFeeds((pair) => writeFeed(pair, tools));
  return {
    ...feeds,
    close: () => {
      stopping.abort();
      return feeds.close();
    },
  };
}

/** Loading the engine takes tens of megabytes, so a server without comparisons does not load it. */
const openLater: CompareTools['openEngine'] = async (options) =>
  (await import('../../snapshot/audit/engine.ts')).openEngine(options);

/** The comparisons of a server; closing stops the running one. */
export async function openDiffs(given: Omit<Given, 'signal'>): Promise<Diffs> {
  const stopping = new AbortController();
  const diffs = cacheDiffs(await openComparing({ ...given, signal: stopping.signal }));
  return {
    ...diffs,
    close: () => {
      stopping.abort();
      return diffs.close();
    },
  };
}
