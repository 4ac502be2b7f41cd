/** The object store of the settings. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CrossfootError } from '../errors.ts';
import { openFolderStore } from '../store/folder.ts';
import { testStore } from '../store/self-test.ts';
import type { Store } from '../store/store.ts';

/** The folder of the settings' store, asked for before anything is started that would have to be stopped again. */
export function demandFolder(location: URL): string {
  if (location.protocol === 'file:') return fileURLToPath(location);
  throw new CrossfootError(
    'settings_invalid',
    `OBJECT_STORE must be file:<folder>, found a URL that begins with ${location.protocol}`,
    { hint: 'This version publishes to a folder only.' },
  );
}

/** Opens the store and proves that it keeps its promises before anything relies on them. */
export async function openObjectStore(location: URL): Promise<Store> {
  const store = await openFolderStore({ fs, root: demandFolder(location), randomUuid: randomUUID });
  await testStore(store, randomUUID);
  return store;
}
