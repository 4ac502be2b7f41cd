/** Bodies on their way to and from a bucket, held to the length that was announced. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CrossfootError } from '../errors.ts';
import type { Content } from './store.ts';

/** The bytes of the content; refuses, before its last one is out, a source that is shorter or longer than it said. */
async function* ofAnnouncedSize({ size, open }: Content): AsyncGenerator<Uint8Array> {
  let sent = 0;
  try {
    for await (const piece of open()) {
      sent += piece.length;
      if (sent > size) throw otherBytes(size, sent);
      yield piece;
    }
  } catch (error) {
    throw error instanceof CrossfootError ? error : unreadable(error);
  }
  if (sent < size) throw otherBytes(size, sent);
}

/** The same, and held to its digest too, for uploads whose whole the bucket does not check itself. */
export async function* asAnnounced(content: Content): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of ofAnnouncedSize(content)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== content.sha256) throw otherBytes(content.size, content.size);
}

/**
 * Lends `send` the content as a stream with the signal that ends the request. The SDK pipes without listening: a
 * source that breaks would leave the request waiting for ever, so its error stops the request and is what is thrown.
 */
export async function sending(
  content: Content,
  send: (body: Readable, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  const body = Readable.from(ofAnnouncedSize(content));
  let broken: { readonly error: Error } | undefined;
  body.on('error', (error) => {
    broken = { error };
    stop.abort();
  });
  try {
    await send(body, stop.signal);
  } catch (error) {
    throw broken?.error ?? error;
  } finally {
    // An answer that came before the end of the body leaves both open.
    body.destroy();
    stop.abort();
  }
}

/** The pieces of an answer that must have exactly `length` bytes; anything else counts as no answer. */
export async function* receiving(body: Readable, length: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      received += piece.length;
      if (received > length) throw otherLength(length, received);
      yield piece;
    }
  } finally {
    body.destroy();
  }
  if (received < length) throw otherLength(length, received);
}

function otherBytes(expected_bytes: number, found_bytes: number): CrossfootError {
  return new CrossfootError('store_checksum_mismatch', 'store: the bytes sent are not those announced.', {
    data: { expected_bytes, found_bytes },
  });
}

// An answer, as the port sees it: sent again, the bytes would be no more readable.
function unreadable(cause: unknown): CrossfootError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return new CrossfootError(
    'store_unavailable',
    `store: the bytes to be stored could not be read (${code}).`,
    { cause, data: { code } },
  );
}

function otherLength(expected_bytes: number, found_bytes: number): CrossfootError {
  return new CrossfootError(
    'store_outcome_unknown',
    `store: the bucket sent ${found_bytes} of ${expected_bytes} bytes.`,
    { data: { expected_bytes, found_bytes } },
  );
}
