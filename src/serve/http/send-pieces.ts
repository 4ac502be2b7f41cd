import type { ServerResponse } from 'node:http';

/**
 * Sends a body of known length, each piece once the socket has taken the piece before it. The adapter reads three pieces
 * before it sends the first, and that is all of a small file. A body that breaks must destroy `outgoing` itself.
 */
export async function sendPieces(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  if (outgoing.destroyed) return await body.cancel();
  const reader = body.getReader();
  let goOn = Promise.withResolvers<void>();
  outgoing.on('drain', () => goOn.resolve());
  outgoing.once('close', () => {
    // A read that waits then ends, too; a body that broke cannot be cancelled.
    reader.cancel().catch(() => undefined);
    goOn.resolve();
  });
  outgoing.writeHead(status, [...headers].flat());
  for (;;) {
    // A variable of the loop's head would keep the piece before this one in memory.
    const { done, value } = await reader.read();
    if (done) break;
    goOn = Promise.withResolvers();
    if (!outgoing.write(value) && !outgoing.destroyed) await goOn.promise;
  }
  outgoing.end();
}
