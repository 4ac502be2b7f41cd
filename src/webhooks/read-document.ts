/** Reads the JSON document at an address that a stranger chose: https only, without redirects, small and soon. */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { hostOf, type AllowedAddresses } from './allowed-addresses.ts';
import { guardedLookup } from './guarded-lookup.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024;
const PATIENCE_MS = 3_000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

interface Tools {
  readonly allowed: AllowedAddresses;
  /** Certificates that are trusted besides those of Node; for tests. */
  readonly ca?: string;
  /** Timeout; 3 s if omitted. */
  readonly timeout_ms?: number;
}

/** The document; null if it cannot be read. A reason would tell strangers what the network of this server has. */
export async function readDocument(
  address: string,
  { allowed, ca, timeout_ms = PATIENCE_MS }: Tools,
): Promise<unknown> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || allowed.refuseUrl(url) !== null) return null;
  const signal = AbortSignal.timeout(timeout_ms);
  const answered = Promise.withResolvers<IncomingMessage>();
  const asking = request(url, {
    host: hostOf(url),
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    signal,
    lookup: guardedLookup(allowed),
    // A reused connection would skip the check of the looked-up address.
    agent: false,
    ...(ca !== undefined && { ca }),
  });
  asking.on('response', answered.resolve);
  asking.on('error', answered.reject);
  // A server that answers with another protocol closes without an error.
  asking.on('close', () => answered.reject(new Error('closed')));
  asking.end();
  try {
    const response = await answered.promise;
    return await jsonOf(response);
  } catch {
    return null;
  } finally {
    asking.destroy();
  }
}

/** The body of an answer with status 200, which a redirect has not. */
async function jsonOf(response: IncomingMessage): Promise<unknown> {
  if (response.statusCode !== 200 || !JSON_TYPE.test(response.headers['content-type'] ?? '')) return null;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_DOCUMENT_BYTES) return null;
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString()) as unknown;
}
