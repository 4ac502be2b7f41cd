/** Answers whose body is at hand: sent in one piece, without the streams that a response's body otherwise runs through. */
import type { ServerResponse } from 'node:http';

/**
 * A response like any other, which also says what its body is. Whoever changes its headers has to change them in place:
 * a copy of it is an ordinary response, and sent as one.
 */
export class WholeAnswer extends Response {
  readonly whole: Uint8Array<ArrayBuffer>;

  constructor(whole: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(streamOf(whole), init);
    this.whole = whole;
  }
}

/** Given bytes, a response would copy them. */
function streamOf(whole: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(whole);
        controller.close();
      },
    },
    { highWaterMark: 0 }, // nothing is done for a body that nobody reads
  );
}

/** Sends it; a HEAD, which Node answers without the body, too. */
export function sendWhole({ status, headers, whole }: WholeAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, [...headers].flat());
  outgoing.end(whole);
}
