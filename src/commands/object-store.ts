/** The object store of the settings. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config.ts';
import { openFolderStore } from '../store/folder.ts';
import { testStore } from '../store/self-test.ts';
import type { Store } from '../store/store.ts';
import { PACE } from './surroundings.ts';

export type ObjectStoreSettings = Pick<Settings, 'bucket' | 'objectStore'>;

/** Opens the store and proves that it keeps its promises before anything relies on them. */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<Store> {
  const store = await openUntested(settings);
  await testStore(store, { pace: PACE, randomUuid: randomUUID });
  return store;
}

async function openUntested({ objectStore, bucket }: ObjectStoreSettings): Promise<Store> {
  if (objectStore.protocol === 'file:') {
    return await openFolderStore({ fs, root: fileURLToPath(objectStore), randomUuid: randomUUID });
  }
  // The SDK takes 0.12 s and 33 MB of every process that loads it: only those with a bucket pay.
  const { openS3Store } = await import('../store/s3.ts');
  return openS3Store({ ...bucket, location: objectStore });
}
