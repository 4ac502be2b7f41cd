import type { ServerResponse } from 'node:http';
import { giveBackMemory } from '../../snapshot/read/block-memory.ts';

/**
 * Sends a body of known length; each piece waits until the socket has taken the one before. The adapter would read three
 * pieces ahead, which is all of a small file. A body that breaks must destroy `outgoing` itself.
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
    // Ends a pending read too. Cancelling a broken body fails, which is fine.
    reader.cancel().catch(() => undefined);
    goOn.resolve();
  });
  outgoing.writeHead(status, [...headers].flat());
  for (;;) {
    // Declared inside the loop: outside, it would keep the previous piece in memory.
    const { done, value } = await reader.read();
    if (done) break;
    goOn = Promise.withResolvers();
    // Without an error the system has taken the whole piece.
    const taken = outgoing.write(value, (error) => error ?? giveBackMemory(value));
    if (!taken && !outgoing.destroyed) await goOn.promise;
  }
  outgoing.end();
}
