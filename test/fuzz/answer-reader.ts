/** Takes HTTP answers out of the bytes of a connection, however these arrive. */

/** One answer, whole. */
export interface Answer {
  readonly status: number;
  /** As sent, in lower case; the first line too. */
  readonly headers: string;
  readonly body: Buffer;
}

const HEADERS_END = '\r\n\r\n';

/** The bytes that came and are not yet an answer. */
export class AnswerReader {
  #waiting: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
  }

  /** The next whole answer; undefined while there is none. An answer to HEAD has no body. */
  next(isHead: boolean): Answer | undefined {
    for (;;) {
      const end = this.#waiting.indexOf(HEADERS_END);
      if (end === -1) return undefined;
      const headers = this.#waiting.toString('latin1', 0, end).toLowerCase();
      const status = Number(headers.slice(9, 12));
      const from = end + HEADERS_END.length;
      if (status >= 100 && status < 200) {
        this.#waiting = this.#waiting.subarray(from); // the answer itself follows
        continue;
      }
      const bodiless = isHead || status === 204 || status === 304;
      const read = bodiless ? { body: Buffer.alloc(0), to: from } : bodyFrom(this.#waiting, from, headers);
      if (read === undefined) return undefined;
      this.#waiting = this.#waiting.subarray(read.to);
      return { status, headers, body: read.body };
    }
  }

  /** What belongs to no whole answer. */
  get left(): string {
    return this.#waiting.toString('latin1');
  }
}

function bodyFrom(bytes: Buffer, from: number, headers: string): { body: Buffer; to: number } | undefined {
  if (headers.includes('\r\ntransfer-encoding: chunked')) return chunksFrom(bytes, from);
  const to = from + Number(/\r\ncontent-length: (\d+)/.exec(headers)?.[1] ?? 0);
  return bytes.length < to ? undefined : { body: bytes.subarray(from, to), to };
}

function chunksFrom(bytes: Buffer, from: number): { body: Buffer; to: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const to = line + 2 + size + 2;
    if (bytes.length < to) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), to };
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = to;
  }
}
