/** The shape of every error that a client sees: `{"error":{"status","message"}}`. */
import { type CrossfootError, type ErrorCode, isCrossfootError } from '../../errors.ts';

type Header = [name: string, value: string];

/**
 * Seconds a client should wait after a 503: longer than the number of the newest log entry of an account is cached,
 * shorter than a person waits.
 */
const RETRY_AFTER_SECONDS = '10';

const SECONDS_TO_WAIT: Readonly<Record<number, string>> = {
  429: '1', // the default; the rate limiter knows the exact time
  503: RETRY_AFTER_SECONDS,
};

const HEADERS_BY_STATUS: Readonly<Record<number, readonly Header[]>> = {
  401: [
    ['www-authenticate', 'Bearer realm="crossfoot"'],
    ['www-authenticate', 'Basic realm="crossfoot", charset="UTF-8"'],
  ],
};

/** When a client should try again, for a status that passes; pages have it too. */
export function retryAfter(status: number): Header[] {
  const seconds = SECONDS_TO_WAIT[status];
  return seconds === undefined ? [] : [['retry-after', seconds]];
}

/** The body of an error. */
export function errorBody(status: number, message: string): string {
  return JSON.stringify({ error: { status, message } });
}

/** Every header of an error, in order; a name may occur twice. */
export function errorHeaders(status: number, body: string): Header[] {
  return [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(body))],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...(HEADERS_BY_STATUS[status] ?? []),
    ...retryAfter(status),
  ];
}

/** An error as a whole response; `more` are additional headers. */
export function errorAnswer(status: number, message: string, more: readonly Header[] = []): Response {
  const body = errorBody(status, message);
  const headers = new Headers();
  for (const [name, value] of [...errorHeaders(status, body), ...more]) headers.append(name, value);
  return new Response(body, { status, headers });
}

/** The sentence about a damaged file: which it is, and what helps. It holds no place of the store. */
function damageIn({ data: { key } }: CrossfootError): string {
  const file =
    typeof key === 'string' ? `The stored file ${key.slice(key.lastIndexOf('/') + 1)}` : 'A stored file';
  return `${file} is damaged and is not served. Read another snapshot. An operator restores the file from a copy, then runs npx --no crossfoot scrub.`;
}

/** Faults of the service whose sentences are made for clients. */
const TOLD: readonly ErrorCode[] = ['comparison_waited', 'sum_too_large'];

/**
 * The status and message of an error for a client. A deliberate refusal (4xx), a damaged file, a comparison that waited too
 * long and a sum that is too large give their reason. Any other error gives no details: the log has them under the same request id.
 */
export function refusalOfError(error: unknown): { readonly status: number; readonly message: string } {
  const status = isCrossfootError(error) ? error.status : 500;
  if (isCrossfootError(error) && (status < 500 || TOLD.includes(error.code)))
    return { status, message: error.message };
  if (isCrossfootError(error, 'file_corrupt')) return { status, message: damageIn(error) };
  return status === 503
    ? { status, message: 'The service cannot answer right now; try again in some seconds.' }
    : {
        status: 500,
        message: 'Internal error. Quote the X-Request-Id of this response to support.',
      };
}

/** The answer to an error that reached a route. */
export function answerError(error: unknown): Response {
  const { status, message } = refusalOfError(error);
  return errorAnswer(status, message);
}
