/** Opens the object store of the settings, for reading or for writing. */
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config.ts';
import { openFolderReader, openFolderStore } from '../store/folder.ts';
import { keepReserve, type ReserveFolder } from '../store/reserve.ts';
import { testStore } from '../store/self-test.ts';
import type { Store, StoreReader } from '../store/store.ts';
import { PACE } from './surroundings.ts';

export type ObjectStoreSettings = Pick<Settings, 'bucket' | 'objectStore'>;

/** Opens the store for writing, and proves that it keeps its guarantees before anything relies on them. */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<Store> {
  const store = await openUntested(settings);
  await testStore(store, { pace: PACE, randomUuid: randomUUID });
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
export async function openUntested(settings: ObjectStoreSettings): Promise<Store> {
  const { objectStore } = settings;
  return objectStore.protocol === 'file:'
    ? await openFolderStore({ fs, root: fileURLToPath(objectStore), randomUuid: randomUUID })
    : await openBucket(settings);
}

/** Opens the store for reading. It needs no right to write: the folder or the credentials may be read-only. */
export async function openStoreToRead(settings: ObjectStoreSettings): Promise<StoreReader> {
  const { objectStore } = settings;
  return objectStore.protocol === 'file:'
    ? await openFolderReader({ fs, root: fileURLToPath(objectStore) })
    : await openBucket(settings);
}

async function openBucket({ objectStore, bucket }: ObjectStoreSettings): Promise<Store> {
  // Loading the SDK takes 0.12 s and 33 MB, so only processes with a bucket load it.
  const { openS3Store } = await import('../store/s3.ts');
  return openS3Store({ ...bucket, location: objectStore });
}
