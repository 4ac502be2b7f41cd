/**
 * A snapshot with files of any size, published after a built one in seconds: its tables are random bytes, its other files
 * those of the built one. A server sends bytes as they are, whatever they mean.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CLOCK } from '../../../src/run/machine.ts';
import { FileDigest } from '../../../src/parquet/digest.ts';
import { buildPrefix, tableKey } from '../../../src/snapshot/format/keys.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { publish } from '../../../src/snapshot/builder/publish.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { signingWith } from '../../support/signing.ts';
import type { BuiltFile } from '../built-files.ts';

/** What the built snapshot has beside its tables, and a server reads. */
const FILES = ['audit.json', 'control.json', 'digests.json'];

/** Publishes it for the account into the store in the folder; `bytesOf` gives the size of each table. */
export async function publishLarge(
  account_id: bigint,
  folder: string,
  bytesOf: (table: string) => number,
): Promise<readonly BuiltFile[]> {
  const root = join(folder, 'store');
  const opened = await openFolderStore({ fs, root, randomUuid: randomUUID });
  const store = { ...opened, signing: signingWith() };
  const reader = createReader({ store, now: CLOCK.now, onFault });
  const built = await reader.latest(account_id);
  if (built === null) throw new Error('nothing is built');
  const files = await Promise.all(
    FILES.map(async (name) => ({
      name,
      content: contentOfBytes(await reader.readFile(account_id, built.snapshot_id, name)),
    })),
  );
  const generated_at = CLOCK.now();
  const nonce = randomBytes(16).toString('hex');
  const build = {
    account_id,
    nonce,
    night: new Date().toISOString().slice(0, 10),
    once: false,
    builder: hostname(),
    generated_at,
    changes_from: null,
    pg_snapshot: '1:1:',
    left_out: { cost: [], value: [] },
    versions: built.versions,
    tables: TABLES.map(({ name }) => ({ name, row_count: 1, content: randomContent(bytesOf(name)) })),
    files,
  };
  await publish(build, await readLog(store, account_id), { store, clock: CLOCK });
  const prefix = buildPrefix(account_id, snapshotIdOf(generated_at), nonce);
  return build.tables.map(({ name, row_count: rows, content: { size: size_bytes } }) => {
    return { table: name, path: join(root, tableKey(prefix, name)), rows, size_bytes };
  });
}

function onFault(fault: Error): never {
  throw fault;
}

function randomContent(size: number) {
  const bytes = randomBytes(size);
  const digest = new FileDigest();
  digest.update(bytes);
  return { ...contentOfBytes(bytes), blocks: digest.finish().blocks };
}
