/** A snapshot of a made-up account, built by the program, and where its files stand. */
import * as fs from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tableKey } from '../../src/snapshot/format/keys.ts';
import { readLog } from '../../src/snapshot/read/read-log.ts';
import { createReader } from '../../src/snapshot/read/reader.ts';
import { openFolderStore } from '../../src/store/folder.ts';
import type { GeneratedLedger } from './ledgers/generated-ledger.ts';
import { measureBuild } from './measured-build.ts';

interface BuiltFile {
  readonly table: string;
  readonly path: string;
  readonly rows: number;
  readonly size_bytes: number;
}

/** Builds the account into the folder; its tables as they lie in the store, in their order. */
export async function builtFiles(
  { databases }: GeneratedLedger,
  account: bigint,
  folder: string,
): Promise<readonly BuiltFile[]> {
  const root = join(folder, 'store');
  await measureBuild(account, {
    ...process.env,
    LEDGER_URL: databases.ledgerUrl,
    OBJECT_STORE: pathToFileURL(root).href,
    DATA_DIR: folder,
  });
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
  return snapshot.tables.map(({ name, row_count, size_bytes }) => ({
    table: name,
    path: join(root, tableKey(entry.prefix, name)),
    rows: row_count,
    size_bytes,
  }));
}
