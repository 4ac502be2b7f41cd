/** The object store of the settings: opened to read it, or opened to write to it. */
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

/** Opens the store to write to it, and proves that it keeps its promises before anything relies on them. */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<Store> {
  const store = await openUntested(settings);
  await testStore(store, { pace: PACE, randomUuid: randomUUID });
  const folder = reserveFolder(settings);
  if (folder !== null) await keepReserve(folder);
  return store;
}

/** Where a folder store holds its reserve; null for a bucket. */
export function reserveFolder({ objectStore }: Pick<Settings, 'objectStore'>): ReserveFolder | null {
  return objectStore.protocol === 'file:'
    ? { fs, root: fileURLToPath(objectStore), chanceBytes: randomBytes }
    : null;
}

/** Opens the store without a test: for reading its clock. */
export async function openUntested(settings: ObjectStoreSettings): Promise<Store> {
  const { objectStore } = settings;
  return objectStore.protocol === 'file:'
    ? await openFolderStore({ fs, root: fileURLToPath(objectStore), randomUuid: randomUUID })
    : await openBucket(settings);
}

/** Opens the store to read it. It needs no right to write: the folder or the credentials may be read-only. */
export async function openStoreToRead(settings: ObjectStoreSettings): Promise<StoreReader> {
  const { objectStore } = settings;
  return objectStore.protocol === 'file:'
    ? await openFolderReader({ fs, root: fileURLToPath(objectStore) })
    : await openBucket(settings);
}

async function openBucket({ objectStore, bucket }: ObjectStoreSettings): Promise<Store> {
  // The SDK takes 0.12 s and 33 MB of every process that loads it: only those with a bucket pay.
  const { openS3Store } = await import('../store/s3.ts');
  return openS3Store({ ...bucket, location: objectStore });
}
