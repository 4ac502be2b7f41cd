/** The input buffer of the COPY decoder. */
import type { Wire } from './copy-fields.ts';

/** Received bytes that are not decoded yet, joined into one array. */
export class UnreadBytes implements Wire {
  bytes = new Uint8Array(256 * 1024);
  view = new DataView(this.bytes.buffer);
  /** The index of the next unread byte. */
  at = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.at;
  }

  /** Adds a chunk and drops the bytes already read, so memory grows with the longest row, not with the stream. */
  add(chunk: Uint8Array): void {
    const rest = this.length;
    if (rest + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(rest + chunk.length, this.bytes.length * 2));
      larger.set(this.bytes.subarray(this.at, this.#end));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    } else {
      this.bytes.copyWithin(0, this.at, this.#end);
    }
    this.bytes.set(chunk, rest);
    this.at = 0;
    this.#end = rest + chunk.length;
  }
}
