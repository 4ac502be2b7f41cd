/** The digests of a written file: of the whole, and of each block, so that a reader can check a part of the file. */
import { createHash, type Hash } from 'node:crypto';

const BLOCK_BYTES = 1024 * 1024;

export interface Digests {
  readonly size_bytes: number;
  /** SHA-256 of the whole file, in lower-case hex. */
  readonly sha256: string;
  /** SHA-256 of each block of 1 MiB, the last one shorter: 32 bytes each, in order. */
  readonly blocks: Uint8Array;
}

/** Computes the digests of a file while it is written. */
export class FileDigest {
  readonly #file = createHash('sha256');
  readonly #blocks: Uint8Array[] = [];
  #block: Hash = createHash('sha256');
  #size = 0;

  update(bytes: Uint8Array): void {
    this.#file.update(bytes);
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - (this.#size % BLOCK_BYTES));
      this.#block.update(part);
      this.#size += part.length;
      at += part.length;
      if (this.#size % BLOCK_BYTES === 0) this.#endBlock();
    }
  }

  /** The digests of all bytes so far. Call it once. */
  finish(): Digests {
    if (this.#size % BLOCK_BYTES !== 0) this.#endBlock();
    return {
      size_bytes: this.#size,
      sha256: this.#file.digest('hex'),
      blocks: new Uint8Array(Buffer.concat(this.#blocks)),
    };
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.digest());
    this.#block = createHash('sha256');
  }
}
