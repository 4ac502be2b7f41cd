/** Opens the object store of the settings, for reading or for writing. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config.ts';
import { openFolderReader, openFolderStore } from '../store/folder.ts';
import { keepReserve, type ReserveFolder } from '../store/reserve.ts';
import { unpacked } from '../snapshot/read/unpacked-store.ts';
import { testStore } from '../store/self-test.ts';
import type { Store, StoreReader } from '../store/store.ts';
import { followSigning, openSigning } from './signing.ts';
import { CLOCK } from './machine.ts';

export type ObjectStoreSettings = Pick<Settings, 'bucket' | 'objectStore' | 'signing'>;

/** The settings of a store that is opened without keys. */
type BareSettings = Pick<ObjectStoreSettings, 'bucket' | 'objectStore'>;

/** Opens the store for writing, with the key that signs snapshots, and tests that the store keeps its guarantees. */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<Store> {
  const signing = await openSigning(settings.signing);
  return { ...(await openTested(settings)), signing };
}

/**
 * Opens the store without a key, and tests that it keeps its guarantees. Throws `store_self_test_failed` if it does not.
 */
export async function openTested(settings: BareSettings): Promise<Store> {
  const store = await openUntested(settings);
  await testStore(store, { clock: CLOCK, randomUuid: randomUUID });
  const folder = reserveFolder(settings);
  if (folder !== null) await keepReserve(folder);
  return store;
}

/** The folder of a folder store's reserve; null for a bucket. */
export function reserveFolder({ objectStore }: Pick<Settings, 'objectStore'>): ReserveFolder | null {
  return objectStore.protocol === 'file:'
    ? { fs, root: fileURLToPath(objectStore), chanceBytes: randomBytes }
    : null;
}

/** Opens the store without a self-test, to read its clock. */
export async function openUntested(settings: BareSettings): Promise<Store> {
  const { objectStore } = settings;
  return unpacked(
    objectStore.protocol === 'file:'
      ? await openFolderStore({ fs, root: fileURLToPath(objectStore), randomUuid: randomUUID })
      : await openBucket(settings),
    CLOCK.now,
  );
}

/** Opens the store for reading. It needs no right to write: the folder or the credentials may be read-only. */
export async function openStoreToRead(settings: ObjectStoreSettings): Promise<StoreReader> {
  const { objectStore } = settings;
  const store = unpacked(
    objectStore.protocol === 'file:'
      ? await openFolderReader({ fs, root: fileURLToPath(objectStore) })
      : await openBucket(settings),
    CLOCK.now,
  );
  const signing = await followSigning(settings.signing);
  return {
    ...store,
    get signing() {
      return signing();
    },
  };
}

async function openBucket({ objectStore, bucket }: BareSettings): Promise<Store> {
  // Loading the SDK takes 0.12 s and 33 MB, so only processes with a bucket load it.
  const { openS3Store } = await import('../store/s3.ts');
  return openS3Store({ ...bucket, location: objectStore });
}
