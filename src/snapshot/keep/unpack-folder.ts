/** Copies a folder with a snapshot in the packed layout, as it lies in the store, so that each file is one again. */
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { isCrossfootError } from '../../errors.ts';
import { readManifest } from '../format/manifest.ts';
import { PACK_FILE, type PackedFiles, placesIn } from '../format/pack.ts';
import { inVerified } from '../spool/failure.ts';

type FileSystem = Pick<typeof promises, 'copyFile' | 'open' | 'readFile'>;

const PIECE_BYTES = 1_048_576;

/**
 * Copies the files into the folder `to` and returns their names; null if the folder holds no packed snapshot. A shared object
 * that is too short gives short files, which differ from their digests. The name of a longer one is returned too: its last bytes
 * belong to no file.
 */
export async function unpackFolder(
  fs: FileSystem,
  {
    directory,
    names,
    to,
  }: { readonly directory: string; readonly names: readonly string[]; readonly to: string },
): Promise<readonly string[] | null> {
  const packed = names.includes(PACK_FILE)
    ? await readPacked(fs, join(directory, 'manifest.json'))
    : undefined;
  if (packed === undefined) return null;
  const { places, size_bytes } = placesIn(packed);
  const others = names.filter((name) => name !== PACK_FILE && !places.has(name));
  for (const name of others) {
    await inVerified(join(directory, name), () => fs.copyFile(join(directory, name), join(to, name)));
  }
  const path = join(directory, PACK_FILE);
  await using pack = await inVerified(path, () => fs.open(path));
  for (const [name, { offset, size_bytes: length }] of places) {
    await using file = await fs.open(join(to, name), 'wx');
    for (let done = 0; done < length;) {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, length - done));
      const { bytesRead } = await inVerified(path, () => pack.read(piece, 0, piece.length, offset + done));
      if (bytesRead === 0) break;
      await file.writeFile(piece.subarray(0, bytesRead));
      done += bytesRead;
    }
  }
  const { size } = await inVerified(path, () => pack.stat());
  return [...others, ...places.keys(), ...(size > size_bytes ? [PACK_FILE] : [])];
}

async function readPacked(fs: FileSystem, manifest: string): Promise<PackedFiles | undefined> {
  try {
    return readManifest(await inVerified(manifest, () => fs.readFile(manifest))).packed;
  } catch (error) {
    // The verification says what is wrong with the manifest.
    if (isCrossfootError(error, 'manifest_invalid') || isCrossfootError(error, 'file_unreadable'))
      return undefined;
    throw error;
  }
}
