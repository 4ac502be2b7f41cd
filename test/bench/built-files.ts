/** A snapshot of a made-up account, built by the program, and where its files stand. */
import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { tableKey } from '../../src/snapshot/format/keys.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { GeneratedLedger } from './ledgers/generated-ledger.ts';
import { builderEnv, type MeasuredBuild, measureBuild } from './measured-build.ts';

export interface BuiltFile {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
  readonly size_bytes: number;
}

/** Builds the account into a store in the folder; gives what that took, and its tables as they lie there, in order. */
export async function builtFiles(
  { databases }: GeneratedLedger,
  account: bigint,
  folder: string,
  storeName = 'store',
): Promise<{ readonly build: MeasuredBuild; readonly files: readonly BuiltFile[] }> {
  const root = join(folder, storeName);
  const build = await measureBuild(account, builderEnv(databases, folder, storeName));
  const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  const reader = createReader({
    store,
    now: () => BigInt(Date.now()) * 1000n,
    onFault: (fault) => {
      throw fault;
    },
  });
  const snapshot = await reader.latest(account);
  const entry = (await readLog(store, account)).entries.at(-1);
  if (snapshot === null || entry === undefined) throw new Error('nothing was published');
  const files = snapshot.tables.map(({ name, row_count, size_bytes }) => ({
    table: name,
    path: join(root, tableKey(entry.prefix, name)),
    rows: row_count,
    size_bytes,
  }));
  return { build, files };
}
