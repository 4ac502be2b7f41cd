/**
 * Reads a chain of objects: the publish log or the marks. The objects are numbered from 1 without gaps, and each names the
 * digest of the object before. `follow` of the chain's kind checks each entry. Reading stops at the first broken entry: the
 * entries before it are valid, and `fault` says what is wrong.
 */
import { type CrossfootError, isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';

/** The maximum size of an entry; an entry has about 400 bytes. */
const ENTRY_CAP_BYTES = 16_384;
/** How many entries are fetched at a time if a listing shows that they exist. */
export const BATCH = 16;

/** The valid entries of a chain read so far. */
interface ReadChain {
  /** Why the next entry was refused; null if the chain ends after the last valid entry. */
  readonly fault: CrossfootError | null;
}

/** Where the objects of a kind of chain are stored, and how its entries are read. */
export interface ChainKind<Read extends ReadChain> {
  readonly empty: Read;
  /** The key prefix of its entries; no other object has it. */
  readonly prefix: string;
  readonly keyOf: (seq: number) => string;
  /** The entry's number; null for any other key. */
  readonly seqOf: (key: string) => number | null;
  readonly lengthOf: (read: Read) => number;
  /** Adds the entries that are valid; a broken one ends the chain with a `fault`. */
  readonly follow: (read: Read, bodies: readonly Uint8Array[]) => Read;
  /** The error for an entry that is missing although a later one exists. */
  readonly missing: (seq: number) => CrossfootError;
}

/** Reads the whole chain and checks every entry against the one before. */
export async function readChain<Read extends ReadChain>(
  store: StoreReader,
  kind: ChainKind<Read>,
): Promise<Read> {
  const listed = await highestListed(store, kind);
  let read = kind.empty;
  while (kind.lengthOf(read) < listed && read.fault === null) {
    const known = kind.lengthOf(read);
    const seqs = Array.from({ length: Math.min(BATCH, listed - known) }, (_, number) => known + number + 1);
    const bodies = await Promise.all(seqs.map((seq) => readEntry(store, kind.keyOf(seq))));
    const gap = bodies.indexOf(null);
    read = kind.follow(
      read,
      bodies.slice(0, gap === -1 ? bodies.length : gap).filter((body) => body !== null),
    );
    // A later entry is listed, so the chain does not end here: this entry was deleted.
    if (gap !== -1 && read.fault === null) read = { ...read, fault: kind.missing(known + gap + 1) };
  }
  return read.fault === null ? await readChainOn(store, kind, read) : read;
}

/** Reads the entries after the known ones; one store call if there are none. */
export async function readChainOn<Read extends ReadChain>(
  store: StoreReader,
  kind: ChainKind<Read>,
  known: Read,
): Promise<Read> {
  let read = known;
  for (;;) {
    const body = await readEntry(store, kind.keyOf(kind.lengthOf(read) + 1));
    // A fault found earlier stays in `read`: a chain is still broken if its bad entry was deleted since.
    if (body === null) return read;
    read = kind.follow(read, [body]);
    if (read.fault !== null) return read;
  }
}

/** The highest number in the store's listing; 0 if there is none. Only a hint: a listing may be out of date. */
export async function highestListed(
  store: StoreReader,
  { prefix, seqOf }: Pick<ChainKind<ReadChain>, 'prefix' | 'seqOf'>,
): Promise<number> {
  let highest = 0;
  for await (const key of store.list(prefix)) highest = Math.max(highest, seqOf(key) ?? 0);
  return highest;
}

/** The bytes of an entry; null if the key does not exist. */
export async function readEntry(store: StoreReader, key: string): Promise<Uint8Array | null> {
  try {
    return await store.readSmall(key, ENTRY_CAP_BYTES);
  } catch (error) {
    // Too large for an entry: return no bytes, which decoding refuses as malformed.
    if (isCrossfootError(error, 'store_object_too_large')) return new Uint8Array();
    throw error;
  }
}
