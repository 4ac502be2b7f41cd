/** What a build knows of the snapshot that it just published: its comparison need not ask the store for that again. */
import type { Store } from '../../store/store.ts';
import { sha256Hex } from '../format/digest.ts';
import { manifestKey } from '../format/keys.ts';
import type { PublishLog } from '../format/publish-log.ts';
import type { PublishedTable } from './publish.ts';

export interface JustPublished {
  readonly seq: number;
  readonly snapshot_id: string;
  /** The log, with the entry of the snapshot. */
  readonly log: PublishLog;
  /** The manifests that the build read from the store, by key: its own, and the one before. */
  readonly manifests: ReadonlyMap<string, Uint8Array>;
  /** The reporting tables, in the spool: what was audited, and what the store was seen to hold. */
  readonly tables: readonly PublishedTable[];
}

/** The same store, and the manifests that were read from it, or of which it stated the digest. They never change. */
export function rememberManifests(store: Store): {
  readonly store: Store;
  readonly manifests: ReadonlyMap<string, Uint8Array>;
} {
  const manifests = new Map<string, Uint8Array>();
  const create: Store['create'] = (key, body, onDigest) =>
    store.create(key, body, (sha256) => {
      const isManifest = key.endsWith(manifestKey('')) && body instanceof Uint8Array;
      if (isManifest && sha256 === sha256Hex(body)) manifests.set(key, body);
      onDigest?.(sha256);
    });
  const readSmall: Store['readSmall'] = async (key, cap_bytes) => {
    const bytes = await store.readSmall(key, cap_bytes);
    if (bytes !== null && key.endsWith(manifestKey(''))) manifests.set(key, bytes);
    return bytes;
  };
  return { store: { ...store, create, readSmall }, manifests };
}
