/** Reads the manifest that a log entry names and checks it against the entry's digest. */
import { Cache } from '../../cache.ts';
import { MEMORY_BUDGET } from '../../cache-budget.ts';
import { CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { manifestKey } from '../format/keys.ts';
import {
  blockedFiles,
  decodeManifest,
  type Manifest,
  MANIFEST_CAP_BYTES,
  smallFiles,
} from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';

/** Of a manifest, each named file. */
const NAMED_BYTES = 512;

/** Reads manifests, cached by their prefix: a published manifest never changes. */
export function manifestCache(
  store: StoreReader,
): (account_id: bigint, entry: LogEntry) => Promise<Manifest> {
  const cache = new Cache<string, Manifest>({
    max_bytes: MEMORY_BUDGET.manifests,
    bytesOf: (manifest) => NAMED_BYTES * (1 + blockedFiles(manifest).length + smallFiles(manifest).length),
  });
  return (account_id, entry) => cache.get(entry.prefix, () => readEntryManifest(store, account_id, entry));
}

/** Reads the manifest with one call to the store. Throws `manifest_invalid` if it is missing or differs. */
export async function readEntryManifest(
  store: StoreReader,
  account_id: bigint,
  entry: LogEntry,
): Promise<Manifest> {
  const bytes = await readStoredManifest(store, account_id, entry);
  return decodeManifest(bytes, { ...entry, account_id });
}

/** The stored bytes of the manifest, not compared with the entry. Throws `manifest_invalid` if the manifest is missing. */
export async function readStoredManifest(
  store: StoreReader,
  account_id: bigint,
  entry: LogEntry,
): Promise<Uint8Array> {
  const bytes = await store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES);
  if (bytes === null) {
    throw new CrossfootError('manifest_invalid', 'manifest: refused, because it is missing.', {
      data: { account: account_id, seq: entry.seq },
    });
  }
  return bytes;
}
