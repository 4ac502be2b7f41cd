/** A folder that snapshots are delivered to: a folder store with other keys, whose `latest.json` may be replaced. */
import { createHash } from 'node:crypto';
import type * as promises from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileSystem, realPathOf } from './directories.ts';
import { answering, openFolderStore } from './folder.ts';
import { DELIVERED_KEY } from './object-key.ts';
import type { ReplacingStore, Versioned } from './store.ts';

interface TargetFolder {
  readonly fs: FileSystem & Pick<typeof promises, 'rename'>;
  readonly root: string;
  readonly randomUuid: () => string;
}

/** Opens the folder; creates it if it is missing. */
export async function openFolderTarget(target: TargetFolder): Promise<ReplacingStore> {
  const { fs, randomUuid } = target;
  const store = await openFolderStore({ ...target, keys: DELIVERED_KEY });
  const root = await realPathOf(fs, target.root);

  async function readVersion(key: string, cap_bytes: number): Promise<Versioned | null> {
    const bytes = await store.readSmall(key, cap_bytes);
    return bytes === null ? null : { bytes, version: digestOf(bytes) };
  }

  return {
    ...store,
    readVersion,
    async replace(key, body, version) {
      if (version === null) return (await store.create(key, body)) === 'created' ? 'replaced' : 'changed';
      const before = await readVersion(key, Number.MAX_SAFE_INTEGER);
      if (before?.version !== version) return 'changed';
      // Created as any object is, so its bytes are durable; the rename then replaces the name at once.
      const fresh = `probe/${randomUuid()}`;
      await store.create(fresh, body);
      await answering('replace', async () => {
        await fs.rename(join(root, fresh), join(root, key));
        await flush(fs, dirname(join(root, key)));
      });
      return 'replaced';
    },
  };
}

async function flush(fs: FileSystem, path: string): Promise<void> {
  const handle = await fs.open(path, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
