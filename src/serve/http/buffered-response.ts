/** Responses with the whole body in memory: sent in one write, without streams. */
import type { ServerResponse } from 'node:http';

/**
 * A response that also holds its body as bytes. Change its headers in place: a copy is an ordinary response and is sent
 * as a stream.
 */
export class BufferedResponse extends Response {
  readonly whole: Uint8Array<ArrayBuffer>;

  constructor(whole: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(streamOf(whole), init);
    this.whole = whole;
  }
}

/** A stream of the bytes. Passed as bytes, a Response would copy them. */
function streamOf(whole: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(whole);
        controller.close();
      },
    },
    { highWaterMark: 0 }, // start only when the stream is read
  );
}

/** Sends the response; for HEAD, Node omits the body. */
export function sendBuffered({ status, headers, whole }: BufferedResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, [...headers].flat());
  outgoing.end(whole);
}
