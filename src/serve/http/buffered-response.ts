/** Responses whose body is in memory. They are sent with one write, not as a stream, because that is faster. */
import type { ServerResponse } from 'node:http';

/**
 * A response that also holds its body as bytes. Change the headers of this object. A copy loses the bytes and is sent
 * as a stream.
 */
export class BufferedResponse extends Response {
  readonly content: Uint8Array<ArrayBuffer>;

  constructor(content: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(streamOf(content), init);
    this.content = content;
  }
}

/** Wraps the bytes in a stream, because `Response` would copy an array of bytes. */
function streamOf(content: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(content);
        controller.close();
      },
    },
    { highWaterMark: 0 }, // start only when the stream is read
  );
}

/** Sends the response; for HEAD, Node omits the body. */
export function sendBuffered({ status, headers, content }: BufferedResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, [...headers].flat());
  outgoing.end(content);
}
