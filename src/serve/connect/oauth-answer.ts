/** The forms of requests and answers that OAuth gives to programs; no cache keeps them. */
import type { Context } from 'hono';
import { readBody } from '../http/read-body.ts';
import { MAX_SIGN_IN_BYTES } from './addresses.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const NOT_KEPT = { 'cache-control': 'no-store' } as const;

/** An error of OAuth (RFC 6749 section 5.2). The sentence holds nothing that the client sent. */
export function oauthError(
  c: Context,
  error: string,
  sentence: string,
  status: 400 | 401 | 429 = 400,
): Response {
  return c.json({ error, error_description: sentence }, status, NOT_KEPT);
}

/** An answer with what the client asked for. */
export function oauthAnswer(c: Context, body: object, status: 200 | 201 = 200): Response {
  return c.json(body, status, NOT_KEPT);
}

/**
 * The parameters that a client sent. One without a value is as good as left out (RFC 6749 section 3.1). A text says why they are
 * refused.
 */
export function readParameters(sent: URLSearchParams): URLSearchParams | string {
  if (new Set(sent.keys()).size < sent.size) return 'The client sent a parameter more than once.';
  if (/\p{Cc}/u.test([...sent.values()].join(''))) return 'The client sent a control character.';
  return new URLSearchParams([...sent].filter(([, value]) => value !== ''));
}

/** The fields of a form of a client; a text says why it is refused. */
export async function readFields(c: Context): Promise<URLSearchParams | string> {
  const text = await readText(c, FORM_TYPE, 'application/x-www-form-urlencoded');
  return 'refusal' in text ? text.refusal : readParameters(new URLSearchParams(text.text));
}

/** The JSON of a client; null for any other body. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await readText(c, JSON_TYPE, 'application/json');
  if ('refusal' in text) return null;
  try {
    return JSON.parse(text.text) as unknown;
  } catch {
    return null;
  }
}

async function readText(
  c: Context,
  type: RegExp,
  name: string,
): Promise<{ readonly text: string } | { readonly refusal: string }> {
  if (!type.test(c.req.header('content-type') ?? '')) {
    return { refusal: `The content type must be ${name}.` };
  }
  const body = await readBody(c.req.raw, MAX_SIGN_IN_BYTES);
  return body.tooLarge ? { refusal: `At most ${MAX_SIGN_IN_BYTES} bytes are read.` } : { text: body.text };
}
