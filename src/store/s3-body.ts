/** Bodies sent to and received from a bucket, checked against the announced length. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CrossfootError } from '../errors.ts';
import type { Content } from './store.ts';

/**
 * The bytes of the content. Throws if the source is shorter or longer than announced, and never yields more than `size`
 * bytes.
 */
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

/** The bytes of the content, checked by size and digest. For multipart uploads: the bucket checks each part, not the whole. */
export async function* asAnnounced(content: Content): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of ofAnnouncedSize(content)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== content.sha256) throw otherBytes(content.size, content.size);
}

/**
 * Calls `send` with the content as a stream, and with a signal that aborts the request. The SDK ignores errors of the source,
 * so the request would wait for ever. Therefore an error of the source aborts the request and is thrown.
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
    // The bucket may answer before it has read the whole body: then close the stream and the source.
    body.destroy();
    stop.abort();
  }
}

/**
 * The pieces of an answer's body. Throws `store_outcome_unknown`, which callers retry, if the body does not have exactly
 * `length` bytes.
 */
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
  return new CrossfootError(
    'store_checksum_mismatch',
    'store: the bytes differ from the announced size or checksum.',
    {
      data: { expected_bytes, found_bytes },
    },
  );
}

// The local source failed, not the bucket. `store_unavailable` is not retried, and a retry would not help here.
function unreadable(cause: unknown): CrossfootError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return new CrossfootError('store_unavailable', `store: the bytes to store could not be read (${code}).`, {
    cause,
    data: { code },
  });
}

function otherLength(expected_bytes: number, found_bytes: number): CrossfootError {
  return new CrossfootError(
    'store_outcome_unknown',
    `store: the bucket sent ${found_bytes} of ${expected_bytes} bytes.`,
    { data: { expected_bytes, found_bytes } },
  );
}
