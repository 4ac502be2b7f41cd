/** The amounts that a published snapshot's totals leave out, for messages and for reports of many accounts. */
import { isCrossfootError } from '../errors.ts';
import { readEntryManifest } from '../snapshot/read/entry-manifest.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import type { LogEntry } from '../snapshot/format/publish-log.ts';
import type { StoreReader } from '../store/store.ts';

/**
 * The left-out amounts in the manifest of a log entry; null without an entry, or if the manifest lacks them or is damaged.
 */
export async function leftOutOfEntry(
  store: StoreReader,
  account_id: bigint,
  entry: LogEntry | null | undefined,
): Promise<Manifest['left_out']> {
  if (entry === null || entry === undefined) return null;
  try {
    return (await readEntryManifest(store, account_id, entry)).left_out;
  } catch (error) {
    if (isCrossfootError(error, 'manifest_invalid')) return null;
    throw error;
  }
}
