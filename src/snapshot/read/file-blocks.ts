/** The blocks of one table's file, each checked against its digest before it is returned. */
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { StoreReader } from '../../store/store.ts';
import { lendMemory, takeMemory } from './block-memory.ts';
import type { CheckedBytes } from './checked-bytes.ts';
import { DIGEST_BYTES, sha256Aside, sha256Hex } from '../format/digest.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Where a read met damage. */
export interface DamagedPlace {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  /** The name of the file in the snapshot. */
  readonly file: string;
}

export interface CheckedFile {
  readonly key: string;
  /** The snapshot of the file, for `onDamage`; absent in reads without it. */
  readonly of?: DamagedPlace;
  readonly blocks_key: string;
  readonly size_bytes: number;
  readonly block_bytes: number;
  readonly blocks_sha256: string;
  /** The digest of the whole file; absent in a read that checks the stored list of digests too. */
  readonly sha256?: string;
}

export interface BlockOptions {
  /** Blocks cached here are not read again. */
  readonly cache?: CheckedBytes | undefined;
  /**
   * True for a response that sends more of the file than the cache holds: while no other response does so, its blocks are
   * read for it alone. Cached, they would drive out all others, and their memory could not be used again.
   */
  readonly scan?: boolean;
}

/** How many responses scan a file, by the digest of its list of digests. */
const scans = new Map<string, number>();

/** Blocks that one store call reads, up to but not including `end`; `next` is the block it yields next. */
interface Run {
  readonly blocks: AsyncGenerator<Bytes>;
  readonly end: number;
  next: number;
}

/** Reads block after block. One store call reads several neighbours, because each call to a bucket takes long. */
export class FileBlocks {
  readonly #store: StoreReader;
  readonly #file: CheckedFile;
  readonly #digests: Uint8Array;
  readonly #cache: CheckedBytes | undefined;
  readonly #scan: boolean;
  /** The last block that the caller will read. */
  readonly #last: number;
  #run: Run | undefined;
  /** Resolves once the earlier runs are closed. A failure to close is ignored, because runs only read. */
  #closed: Promise<unknown> = Promise.resolve();

  private constructor(
    store: StoreReader,
    file: CheckedFile,
    digests: Uint8Array,
    { last, cache, scan = false }: BlockOptions & { readonly last: number },
  ) {
    this.#store = store;
    this.#file = file;
    this.#digests = digests;
    this.#last = last;
    this.#cache = cache;
    this.#scan = scan;
    if (scan) countScan(file, 1);
  }

  /** Reads the list of block digests and checks it against the manifest. */
  static async open(
    store: StoreReader,
    file: CheckedFile,
    options: BlockOptions & { readonly last: number },
  ): Promise<FileBlocks> {
    const read = (): Promise<Bytes> => readDigests(store, file);
    const digests = onlyDigest(file) ?? (await (options.cache?.get(file.blocks_sha256, read) ?? read()));
    // A cached list may have been read for a file of another size.
    if (digests.length !== digestsLength(file)) throw corrupt(file, null);
    return new FileBlocks(store, file, digests, options);
  }

  /** The block, from the cache or from the store. The caller may request the next block before this one arrives. */
  async read(index: number): Promise<Bytes> {
    const digest = this.#digestAt(index);
    const read = (): Promise<Bytes> => this.#readChecked(index, digest);
    const alone =
      this.#scan && scans.get(this.#file.blocks_sha256) === 1 && this.#cache?.has(digest) !== true;
    const block = await ((alone ? undefined : this.#cache?.get(digest, read)) ?? read());
    if (alone) lendMemory(block);
    const { size_bytes, block_bytes } = this.#file;
    if (block.length !== Math.min(block_bytes, size_bytes - index * block_bytes)) {
      throw corrupt(this.#file, index);
    }
    return block;
  }

  /** Closes the store's streams once all requested blocks have arrived. */
  async close(): Promise<void> {
    if (this.#scan) countScan(this.#file, -1);
    await this.#closed;
    await this.#run?.blocks.return(undefined);
  }

  async #readChecked(index: number, digest: string): Promise<Bytes> {
    const { done, value } = await this.#runAt(index).next();
    if (done === true) throw corrupt(this.#file, index);
    // Hash in another thread: this one sends earlier blocks meanwhile.
    if ((await sha256Aside(value)) !== digest) throw corrupt(this.#file, index);
    return value;
  }

  /** The run whose next block is `index`: the current run, or a new run up to the next cached block. */
  #runAt(index: number): AsyncGenerator<Bytes> {
    if (this.#run?.next !== index || this.#run.end === index) {
      this.#closed = Promise.allSettled([this.#closed, this.#run?.blocks.return(undefined)]);
      let end = index + 1;
      while (end <= this.#last && this.#cache?.has(this.#digestAt(end)) !== true) end += 1;
      this.#run = { blocks: readBlocks(this.#store, this.#file, index, end), end, next: index };
    }
    this.#run.next += 1;
    return this.#run.blocks;
  }

  #digestAt(index: number): string {
    const at = index * DIGEST_BYTES;
    return Buffer.from(this.#digests.subarray(at, at + DIGEST_BYTES)).toString('hex');
  }
}

function countScan({ blocks_sha256 }: CheckedFile, more: 1 | -1): void {
  const count = (scans.get(blocks_sha256) ?? 0) + more;
  if (count === 0) scans.delete(blocks_sha256);
  else scans.set(blocks_sha256, count);
}

function digestsLength({ size_bytes, block_bytes }: CheckedFile): number {
  return Math.ceil(size_bytes / block_bytes) * DIGEST_BYTES;
}

/**
 * The list of digests of a file of one block: the file's own digest, which the manifest states, so that no call of the store is
 * needed. Null if the list must be read.
 */
function onlyDigest(file: CheckedFile): Bytes | null {
  if (file.sha256 === undefined || digestsLength(file) !== DIGEST_BYTES) return null;
  const digests = Uint8Array.from(Buffer.from(file.sha256, 'hex'));
  if (sha256Hex(digests) !== file.blocks_sha256) throw corrupt(file, null);
  return digests;
}

async function readDigests(store: StoreReader, file: CheckedFile): Promise<Bytes> {
  const length = digestsLength(file);
  const read = await store.readSmall(file.blocks_key, length).catch((error: unknown) => {
    throw isCrossfootError(error, 'store_object_too_large') ? corrupt(file, null, error) : error;
  });
  if (read?.length !== length || sha256Hex(read) !== file.blocks_sha256) throw corrupt(file, null);
  return Uint8Array.from(read);
}

/** The blocks from `first` up to but not including `end`: whole, not yet checked. */
async function* readBlocks(
  store: StoreReader,
  file: CheckedFile,
  first: number,
  end: number,
): AsyncGenerator<Bytes> {
  const stop = Math.min(end * file.block_bytes, file.size_bytes);
  let start = first * file.block_bytes;
  const length = (): number => Math.min(file.block_bytes, stop - start);
  let block: Bytes | null = null;
  let filled = 0;
  for await (const piece of store.readRange(file.key, start, stop - start, takeMemory)) {
    for (let at = 0; at < piece.length;) {
      if (block === null && isBlock(piece, length())) {
        // No copy: collecting a second megabyte for each block would cost as much as its digest.
        block = piece;
        filled = at = piece.length;
      } else {
        block ??= new Uint8Array(length());
        const part = piece.subarray(at, at + block.length - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled < block.length) continue;
      }
      yield block;
      start += block.length;
      if (start >= stop) return;
      block = null;
      filled = 0;
    }
  }
  throw corrupt(file, start / file.block_bytes);
}

/** True if the piece is a whole block and owns its memory. */
function isBlock(piece: Uint8Array, length: number): piece is Bytes {
  return piece.length === length && piece.buffer instanceof ArrayBuffer && piece.buffer.byteLength === length;
}

export function corrupt(file: CheckedFile, block: number | null, cause?: unknown): CrossfootError {
  const place = block === null ? 'it or its list of digests' : `its block ${block}`;
  return differsFromAudit(file.key, place, block, cause);
}

/** The error for bytes that differ from the audited ones; `place` names the part of the object. */
export function differsFromAudit(
  key: string,
  place: string,
  block: number | null,
  cause?: unknown,
): CrossfootError {
  return new CrossfootError(
    'file_corrupt',
    `${key}: ${place} is not what was audited; the file is not served.`,
    {
      hint: 'Restore the file from a copy, then run npx --no crossfoot scrub --account <id>. Meanwhile read another snapshot, or build a new one.',
      data: { key, block },
      cause,
    },
  );
}
