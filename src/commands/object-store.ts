/** The object store of the settings. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CrossfootError } from '../errors.ts';
import { openFolderStore } from '../store/folder.ts';
import { testStore } from '../store/self-test.ts';
import type { Store } from '../store/store.ts';

/** Opens the store and proves that it keeps its promises before anything relies on them. */
export async function openObjectStore(location: URL): Promise<Store> {
  if (location.protocol !== 'file:') {
    throw new CrossfootError(
      'settings_invalid',
      `OBJECT_STORE must be a file: URL, found ${location.protocol}.`,
      {
        hint: 'This version publishes to a folder only.',
      },
    );
  }
  const store = await openFolderStore({ fs, root: fileURLToPath(location), randomUuid: randomUUID });
  await testStore(store, randomUUID);
  return store;
}
