/** Copies the objects of a published snapshot from the store into a folder, unchanged. */
import { join } from 'node:path';
import { isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { blocksFile, fileKey, manifestKey, tableFile } from '../format/keys.ts';
import { decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';
import { SIGNATURE_FILES } from '../format/signature-files.ts';
import { storedSets } from '../format/stored-sets.ts';
import type { SpoolFileSystem } from '../spool/spool.ts';

interface FetchJob {
  readonly store: StoreReader;
  readonly fs: Pick<SpoolFileSystem, 'open' | 'writeFile'>;
  readonly directory: string;
  readonly account_id: bigint;
  readonly entry: LogEntry;
  readonly signal: AbortSignal;
}

/**
 * Copies the manifest and every object that it names into the folder. An object that is missing or damaged in the store
 * is missing or damaged in the folder too, so verifying the copy finds it.
 */
export async function fetchSnapshot(job: FetchJob): Promise<void> {
  const { store, fs, directory, account_id, entry } = job;
  const manifest = await store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES);
  if (manifest === null) return;
  await fs.writeFile(join(directory, 'manifest.json'), manifest, { flag: 'wx' });
  for (const name of namesIn(manifest, { ...entry, account_id })) {
    job.signal.throwIfAborted();
    await copy(job, name);
  }
}

function namesIn(bytes: Uint8Array, expected: Parameters<typeof decodeManifest>[1]): readonly string[] {
  try {
    const named = storedSets(decodeManifest(bytes, expected)).flatMap(({ tables, files }) => [
      ...tables.flatMap(({ name }) => [tableFile(name), blocksFile(name)]),
      ...files.map(({ name }) => name),
    ]);
    return [...SIGNATURE_FILES, ...named];
  } catch (error) {
    // Do not fetch the files that an unpublished manifest names.
    if (isCrossfootError(error, 'manifest_invalid')) return [];
    throw error;
  }
}

async function copy({ store, fs, directory, entry }: FetchJob, name: string): Promise<void> {
  const key = fileKey(entry.prefix, name);
  const stored = await store.stat(key);
  if (stored === null) return;
  const handle = await fs.open(join(directory, name), 'wx');
  try {
    for await (const piece of store.readRange(key, 0, stored.size)) await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
}
