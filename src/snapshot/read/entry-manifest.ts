/** The manifest that an entry of the publish log names, held to the digest that the entry states. */
import { CrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { manifestKey } from '../format/keys.ts';
import { decodeManifest, type Manifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { LogEntry } from '../format/publish-log.ts';

/** One call to the store; throws `manifest_invalid` when the manifest is missing or another one. */
export async function readEntryManifest(
  store: StoreReader,
  account_id: bigint,
  entry: LogEntry,
): Promise<Manifest> {
  const bytes = await store.readSmall(manifestKey(entry.prefix), MANIFEST_CAP_BYTES);
  if (bytes === null) {
    throw new CrossfootError('manifest_invalid', 'manifest: refused, because it is missing.', {
      data: { account: account_id, seq: entry.seq },
    });
  }
  return decodeManifest(bytes, { ...entry, account_id });
}
