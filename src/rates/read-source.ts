/** Reads a source of rates whole, up to a limit on bytes and time. */
import { createReadStream } from 'node:fs';
import { CrossfootError, isCrossfootError } from '../errors.ts';
import { type RateSource, shownAddress, shownSource } from './source.ts';

export interface ReadLimits {
  readonly bytes: number;
  /** For the whole read, including redirects. */
  readonly ms: number;
}

/** The limits of a read. Twenty-seven years of daily rates are 1.5 MB of text; a minute is enough for a slow connection. */
export const READ_LIMITS: ReadLimits = { bytes: 16 * 1024 * 1024, ms: 60_000 };

const MAX_REDIRECTS = 5;

/** The bytes of the source; rejects with `rates_not_read` if it cannot be read, is too large, or takes too long. */
export async function readSource(
  source: RateSource,
  signal: AbortSignal,
  limits: ReadLimits = READ_LIMITS,
): Promise<Buffer> {
  const late = AbortSignal.timeout(limits.ms);
  const either = AbortSignal.any([signal, late]);
  try {
    const bytes =
      source.kind === 'file'
        ? createReadStream(source.path, { signal: either })
        : await fetchBytes(source.url, either);
    return await collect(bytes, source, limits.bytes);
  } catch (cause) {
    signal.throwIfAborted();
    if (isCrossfootError(cause)) throw cause;
    const why = late.aborted ? `it took longer than ${limits.ms / 1000} s` : reason(cause);
    throw notRead(source, why, cause);
  }
}

async function fetchBytes(first: URL, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await fetch(url, { redirect: 'manual', signal });
    if (answer.status === 200 && answer.body !== null) return answer.body;
    await answer.body?.cancel();
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || location === null) {
      throw new Error(`it answered ${answer.status}`);
    }
    url = new URL(location, url);
    // Do not follow to another host: the administrator did not choose it, and it may be inside our own network.
    if (url.protocol !== 'https:' || url.host !== first.host) {
      throw new Error(`it redirects to ${shownAddress(url)}, and another host is not followed`);
    }
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

async function collect(stream: AsyncIterable<Uint8Array>, source: RateSource, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    // Leaving the loop closes the file or the connection.
    if (length > most) throw notRead(source, `it is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const FILE_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

/** The message of an error of `fetch` or of the file. An error of `fetch` says only "fetch failed"; its `cause` has the message. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const words = 'syscall' in cause && 'code' in cause ? FILE_WORDS[String(cause.code)] : undefined;
  if (words !== undefined) return words;
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

function notRead(source: RateSource, why: string, cause?: unknown): CrossfootError {
  return new CrossfootError('rates_not_read', `${shownSource(source)} could not be read: ${why}.`, {
    hint: 'No rate was changed. Read it again later, or download it by hand and import the file.',
    cause,
  });
}
