/**
 * The folder that a pull fills. `<snapshot_id>/` appears whole, by one rename of `.partial-<snapshot_id>/`; then the
 * link `latest` is swapped, by a rename too, for whoever reads one path for ever; last of all comes the control file
 * `latest.json`, which names that folder, its tables, rows and digests, for whoever loads what is new.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PulledManifest, PulledTable, WantedFile } from './wanted.ts';

const CONTROL = 'latest.json';
const POINTER = 'latest';

/** Where a snapshot is made, and where it is once it is whole. */
export function placesOf(to: string, snapshot_id: string) {
  return { partial: join(to, `.partial-${snapshot_id}`), finished: join(to, snapshot_id) };
}

/** Those of the files that the folder does not have, or not in their size. */
export async function absentFrom<File extends WantedFile>(
  folder: string,
  files: readonly File[],
): Promise<readonly File[]> {
  const sizes = await Promise.all(
    files.map(({ name }) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => -1,
      ),
    ),
  );
  return files.filter(({ size_bytes }, place) => sizes[place] !== size_bytes);
}

/** Makes the partial folder, and clears away those of snapshots that were never finished. */
export async function beginPartial(to: string, partial: string): Promise<void> {
  for (const name of await readdir(to)) {
    const path = join(to, name);
    if (name.startsWith('.partial-') && path !== partial) await rm(path, { recursive: true });
  }
  await mkdir(partial, { recursive: true });
}

/** Makes the partial folder the finished one; one that is there already gets what it lacked, file by file. */
export async function finish(partial: string, finished: string, manifest: PulledManifest): Promise<void> {
  await writeWhole(join(partial, 'manifest.json'), manifest.text);
  const there = await stat(finished).then(
    () => true,
    () => false,
  );
  if (!there) return await rename(partial, finished);
  for (const name of await readdir(partial)) await rename(join(partial, name), join(finished, name));
  await rm(partial, { recursive: true });
}

/**
 * Makes the names in these folders durable: after a power cut they are there. Asked for in every pull, because a pull
 * that was killed may have renamed files and flushed no folder.
 */
export async function flushFolders(...paths: readonly string[]): Promise<void> {
  if (process.platform === 'win32') return; // it opens no folder
  for (const path of paths) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Says that this snapshot is the newest one here; false when that was said before, with all of these tables. */
export async function announce(
  to: string,
  { snapshot_id, generated_at, account_id }: PulledManifest,
  tables: readonly PulledTable[],
): Promise<boolean> {
  const control = {
    snapshot_id,
    generated_at,
    account_id,
    folder: snapshot_id,
    tables: tables.map(({ table, name, row_count, size_bytes, sha256 }) => ({
      table,
      file: name,
      row_count,
      size_bytes,
      sha256,
    })),
  };
  const before: unknown = await readFile(join(to, CONTROL), 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  if (isDeepStrictEqual(before, control)) return false;
  await point(to, snapshot_id);
  await writeWhole(join(to, CONTROL), `${JSON.stringify(control, null, 2)}\n`);
  return true;
}

/** A system without links, or a user who may not make them, has the control file alone. */
async function point(to: string, snapshot_id: string): Promise<void> {
  const fresh = join(to, `.${POINTER}`);
  await rm(fresh, { force: true });
  try {
    await symlink(snapshot_id, fresh, 'dir');
    await rename(fresh, join(to, POINTER));
  } catch {
    await rm(fresh, { force: true });
  }
}

/** A file appears with all of its text or not at all, and stays. */
async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.fresh`;
  const handle = await open(fresh, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
  await flushFolders(dirname(path));
}
