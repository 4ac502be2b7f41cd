/** One request to the server. Errors are of two kinds: `Interruption` may be retried, `PullStopped` may not. */
import { Interruption, PullStopped } from './errors.ts';

/** A transfer without a byte for this long is dead; the server itself closes it after half the time. */
const STALLED_MS = 60_000;
/** HTTP statuses of temporary faults: a retry may succeed. */
const PASSING = [408, 429, 500, 502, 503, 504];

export interface Server {
  /** The address of the API, ending in /v1. */
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it arrives; throws an `Interruption` if the connection ends early. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Requests a path below the address, passes the answer to `read` and then frees the connection. Throws an `Interruption` or
 * `PullStopped` for any status but 2xx.
 */
export async function ask<Result>(
  { url, token, signal }: Server,
  path: string,
  headers: Readonly<Record<string, string>>,
  read: (answer: ServerAnswer) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const silence = new Error(`no byte for ${STALLED_MS / 1000} s`);
  const stalled = setTimeout(() => over.abort(silence), STALLED_MS);
  const interrupted = (cause: unknown): unknown => {
    signal.throwIfAborted();
    return new Interruption(`the connection ended (${reasonOf(cause)})`, 0, cause);
  };
  async function* pieces(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
    const parts = body?.[Symbol.asyncIterator]();
    for (;;) {
      const part = await parts?.next().catch((cause: unknown) => Promise.reject(interrupted(cause)));
      if (part === undefined || part.done === true) return;
      stalled.refresh();
      yield part.value;
    }
  }
  try {
    const response = await fetch(url + path, {
      // No compression: the byte count would be wrong when a transfer is resumed.
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity', ...headers },
      // A redirect is not followed: the token is for this server alone.
      redirect: 'manual',
      signal: AbortSignal.any([signal, over.signal]),
    }).catch((cause: unknown) => Promise.reject(interrupted(cause)));
    const answer = { status: response.status, headers: response.headers, pieces: pieces(response.body) };
    if (!response.ok) throw await refusalOf(answer);
    return await read(answer);
  } finally {
    clearTimeout(stalled);
    over.abort();
  }
}

/** The whole body as text; throws if it is longer than `most_bytes`. */
export async function textOf({ pieces }: ServerAnswer, most_bytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > most_bytes) throw new PullStopped(3, `An answer is longer than ${most_bytes} bytes.`);
    parts.push(piece);
  }
  return Buffer.concat(parts).toString();
}

async function refusalOf(answer: ServerAnswer): Promise<Error> {
  const { status, headers } = answer;
  if (status < 400) {
    return new PullStopped(1, `The address redirects to ${headers.get('location')}; give that as --url.`);
  }
  const said = `${status} ${await sentenceOf(answer)}`;
  if (PASSING.includes(status)) return new Interruption(said, waitOf(headers.get('retry-after')));
  return new PullStopped(status < 500 ? 3 : 1, `The server refused: ${said}`, undefined, status);
}

/** The message of the server's JSON error; `without a reason` for any other body, such as the page of a proxy. */
async function sentenceOf(answer: ServerAnswer): Promise<string> {
  try {
    const { error } = JSON.parse(await textOf(answer, 65_536)) as { error: { message: unknown } };
    return String(error.message);
  } catch {
    return 'without a reason';
  }
}

/** The wait in milliseconds that the header `Retry-After` names, in seconds or as a date; 0 if it names none. */
function waitOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

/** The message of the deepest cause, such as ECONNREFUSED; the outer one is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return 'code' in error ? String(error.code) : error.message;
}
