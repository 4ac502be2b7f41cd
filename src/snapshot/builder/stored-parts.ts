/** The parts of a build in the store, by which a worker hands a range to the build. */
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Store } from '../../store/store.ts';
import { partKey } from '../format/keys.ts';
import type { Spool, SpoolFileSystem } from '../spool/spool.ts';
import { upload } from '../spool/upload.ts';

export interface PartStore {
  readonly store: Store;
  readonly clock: Clock;
  /** The directory of the parts of this build. */
  readonly prefix: string;
}

/** A range of a table; the ranges of a table are numbered from 1. */
export interface PartName {
  readonly table: string;
  readonly number: number;
}

/** A part as its worker wrote it. */
export interface StoredPart {
  readonly size_bytes: number;
  readonly sha256: string;
}

/** Stores a file of the spool as a part. A worker that repeats a range finds the same bytes there. */
export async function storePart(
  { store, clock, prefix }: PartStore,
  { table, number }: PartName,
  spool: Spool,
  file: string,
  { size_bytes: size, sha256 }: StoredPart,
): Promise<void> {
  await upload(store, clock, partKey(prefix, table, number), spool.content(file, { size, sha256 }));
}

/** Copies a part into a file of the spool, and removes it from the store. False if it has other bytes than its worker wrote. */
export async function fetchPart(
  parts: PartStore,
  part: PartName,
  { size_bytes, sha256 }: StoredPart,
  { spool, fs }: { readonly spool: Spool; readonly fs: Pick<SpoolFileSystem, 'rm'> },
  file: string,
): Promise<boolean> {
  const { store, clock, prefix } = parts;
  const key = partKey(prefix, part.table, part.number);
  const content = await untilAnswered(clock, async () => {
    await fs.rm(spool.pathOf(file), { force: true });
    return await spool.writePieces(file, store.readRange(key, 0, size_bytes));
  });
  await removePart(parts, part);
  return content.sha256 === sha256;
}

/** Removes a part if it is there. Without the right to delete it stays, and prune removes it. */
export async function removePart(
  { store, clock, prefix }: PartStore,
  { table, number }: PartName,
): Promise<void> {
  await untilAnswered(clock, () => store.delete(partKey(prefix, table, number))).catch(() => undefined);
}
