/**
 * The folder that a pull fills. First `.partial-<snapshot_id>/` is renamed to `<snapshot_id>/`, so that it appears whole.
 * Then the link `latest` is replaced, also by a rename, for readers with a fixed path. Last, the control file
 * `latest.json` names the folder, its tables, rows and digests, for programs that load new snapshots.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { PulledManifest, PulledTable, RemoteFile } from './remote-manifest.ts';

const CONTROL = 'latest.json';
const POINTER = 'latest';

/** The partial folder of a snapshot and its finished folder. */
export function placesOf(to: string, snapshot_id: string) {
  return { partial: join(to, `.partial-${snapshot_id}`), finished: join(to, snapshot_id) };
}

/** The files that are missing in the folder, or have another size. */
export async function absentFrom<File extends RemoteFile>(
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
  return files.filter(({ size_bytes }, index) => sizes[index] !== size_bytes);
}

/** Creates the partial folder, and deletes those of other unfinished snapshots. */
export async function beginPartial(to: string, partial: string): Promise<void> {
  for (const name of await readdir(to)) {
    const path = join(to, name);
    if (name.startsWith('.partial-') && path !== partial) await rm(path, { recursive: true });
  }
  await mkdir(partial, { recursive: true });
}

/**
 * Writes the small files `texts` into the partial folder, then renames it to the finished folder. If the finished folder
 * exists already, moves each file of the partial folder into it.
 */
export async function finish(
  partial: string,
  finished: string,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await writeWhole(join(partial, name), text);
  const there = await stat(finished).then(
    () => true,
    () => false,
  );
  if (!there) return await rename(partial, finished);
  for (const name of await readdir(partial)) await rename(join(partial, name), join(finished, name));
  await rm(partial, { recursive: true });
}

/**
 * Makes the names in these folders durable, so that they survive a power cut. Every pull does this, because an earlier pull
 * may have been killed between a rename and the flush.
 */
export async function flushFolders(...paths: readonly string[]): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders
  for (const path of paths) {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/** Writes the control file for this snapshot; false if it names the snapshot with all these tables already. */
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

/** Replaces the link `latest`. If the system or its rights allow no links, only the control file exists. */
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

/** Writes a file durably, with its whole text or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
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
