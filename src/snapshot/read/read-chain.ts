/**
 * Reading a chain of objects that are numbered without gaps from 1 on, each naming the digest of the one before:
 * forward from what is known, until there is no next one.
 */
import { type CrossfootError, isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';

/** An entry has about 400 bytes. */
const ENTRY_CAP_BYTES = 16_384;
/** How many entries are fetched at once where a listing says that they exist. */
const BATCH = 16;

/** What has been read of a chain and found good. */
interface ReadChain {
  /** Why the entry after the last good one was refused; null when the chain simply ends there. */
  readonly fault: CrossfootError | null;
}

/** Where a kind of chain stands, and how it is followed. */
export interface ChainKind<Read extends ReadChain> {
  readonly empty: Read;
  /** Below which its entries stand, and nothing else. */
  readonly prefix: string;
  readonly keyOf: (seq: number) => string;
  /** Null for a key that is no entry's. */
  readonly seqOf: (key: string) => number | null;
  readonly lengthOf: (read: Read) => number;
  readonly follow: (read: Read, bodies: readonly Uint8Array[]) => Read;
  /** The error of an entry that a later one proves to have been there. */
  readonly missing: (seq: number) => CrossfootError;
}

/** The whole chain, every entry checked against the one before. */
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
    // A later entry is listed, so this one is not the end of the chain: it was taken away.
    if (gap !== -1 && read.fault === null) read = { ...read, fault: kind.missing(known + gap + 1) };
  }
  return read.fault === null ? await readChainOn(store, kind, read) : read;
}

/** The chain with whatever was added since it was read: one call when that is nothing. */
export async function readChainOn<Read extends ReadChain>(
  store: StoreReader,
  kind: ChainKind<Read>,
  known: Read,
): Promise<Read> {
  let read = known;
  for (;;) {
    const body = await readEntry(store, kind.keyOf(kind.lengthOf(read) + 1));
    // A fault stays as it was: an entry that is missing now does not make an earlier alarm untrue.
    if (body === null) return read;
    read = kind.follow(read, [body]);
    if (read.fault !== null) return read;
  }
}

/** The number of the last entry that a listing shows; 0 when it shows none. A listing may be stale: only a hint. */
export async function highestListed(
  store: StoreReader,
  { prefix, seqOf }: Pick<ChainKind<ReadChain>, 'prefix' | 'seqOf'>,
): Promise<number> {
  let highest = 0;
  for await (const key of store.list(prefix)) highest = Math.max(highest, seqOf(key) ?? 0);
  return highest;
}

/** The bytes of an entry, or null when there is none of this key. */
export async function readEntry(store: StoreReader, key: string): Promise<Uint8Array | null> {
  try {
    return await store.readSmall(key, ENTRY_CAP_BYTES);
  } catch (error) {
    // Far too large to be an entry: no bytes at all are refused as malformed, which is what it is.
    if (isCrossfootError(error, 'store_object_too_large')) return new Uint8Array();
    throw error;
  }
}
