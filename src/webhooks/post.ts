/** One POST to a receiver: with a timeout, without redirects, and without reading the response body. */
import { request as requestPlain } from 'node:http';
import { request as requestSecure, type RequestOptions } from 'node:https';
import { hostOf, type AllowedAddresses } from './allowed-addresses.ts';
import { ADDRESS_REFUSED, guardedLookup } from './guarded-lookup.ts';
import { type Instant, SECOND } from '../instant.ts';

/** The default timeout of a request. */
const PATIENCE_MS = 10_000;

/** The answer: a status, or in one word why there is none. */
export type PostAnswer =
  | {
      readonly status: number;
      /** The seconds of `Retry-After`; null without a usable one. */
      readonly retry_after_s: number | null;
    }
  | { readonly fault: string };

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostTools {
  readonly allowed: AllowedAddresses;
  readonly signal: AbortSignal;
  readonly now: () => Instant;
  /** Timeout; 10 s if omitted. */
  readonly timeout_ms?: number;
}

/** Posts JSON; rejects only when aborted. */
export async function post({ url: text, headers, body }: Posting, tools: PostTools): Promise<PostAnswer> {
  const { allowed, signal, timeout_ms = PATIENCE_MS } = tools;
  signal.throwIfAborted();
  const url = URL.parse(text);
  if (url === null || allowed.refuseUrl(url) !== null) return { fault: ADDRESS_REFUSED };
  const late = AbortSignal.timeout(timeout_ms);
  const options: RequestOptions = {
    method: 'POST',
    host: hostOf(url),
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.any([signal, late]),
    lookup: guardedLookup(allowed),
    // A reused connection would skip the check of the looked-up address.
    agent: false,
  };
  try {
    const { status, retryAfter } = await send(url, options, body);
    return { status, retry_after_s: secondsOf(retryAfter, tools.now) };
  } catch (error) {
    signal.throwIfAborted();
    return { fault: late.aborted ? 'timeout' : faultOf(error) };
  }
}

interface Received {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

function send(url: URL, options: RequestOptions, body: string): Promise<Received> {
  const answered = Promise.withResolvers<Received>();
  const request = url.protocol === 'https:' ? requestSecure : requestPlain;
  const sending = request(url, options, (response) => {
    answered.resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    // The body is not read: it may be endless.
    response.destroy();
  });
  sending.on('error', answered.reject);
  sending.end(body);
  return answered.promise;
}

/** Error codes only: a message may repeat the address, which gives access to the receiver. */
export function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unforeseen';
}

/** The seconds of a `Retry-After`, which is a number of seconds or a date. */
function secondsOf(text: string | undefined, now: () => Instant): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const until_ms = Date.parse(text);
  return Number.isNaN(until_ms)
    ? null
    : Math.max(0, Math.ceil(until_ms / 1000 - Number(now()) / Number(SECOND)));
}
