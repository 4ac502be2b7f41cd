/** What changed between two published snapshots of a history, read whole. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { readSqlFiles } from '../../src/ledger/migrate/files.ts';
import { SCHEMA_FOLDER } from '../../src/ledger/schema-folder.ts';
import type { Change } from '../../src/diff/change.ts';
import { compareSnapshots, type CompareTools, type Pair } from '../../src/diff/compare.ts';
import { openEngine } from '../../src/snapshot/audit/engine.ts';
import { sqlScripts } from '../../src/sql-scripts.ts';

/** The real tools over these snapshots, working below `root`. */
export async function compareTools(
  root: string,
  snapshots: CompareTools['snapshots'],
): Promise<CompareTools> {
  const sql = sqlScripts(await readSqlFiles(join(SCHEMA_FOLDER, 'diff')));
  return { fs, root, snapshots, sql, openEngine, signal: new AbortController().signal };
}

/** Every change of the pair, in order. */
export async function compared(pair: Pair, tools: CompareTools): Promise<readonly Change[]> {
  const file = await compareSnapshots(pair, tools);
  try {
    return await file.read(0, Number.MAX_SAFE_INTEGER);
  } finally {
    await file.close();
  }
}
