/** Reads forms of our own pages; refuses forms that another site has sent. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { refusedParameter } from '../http/parameters.ts';
import { SIGN_IN_PATH } from '../auth/credentials.ts';
import { readBody } from '../http/read-body.ts';

/** The addresses that forms are sent to. */
export const FORM_PATHS = [SIGN_IN_PATH, '/sign-out'] as const;

/** The maximum size of a form: a token of 56 characters, and room for text pasted along with it. */
export const MAX_FORM_BYTES = 4 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The fields of a form that one of our pages has sent. */
export async function readOwnForm(c: Context, baseUrl: string): Promise<URLSearchParams> {
  if (!isOwnOrigin(c.req.header('origin'), c.req.header('host'), baseUrl)) {
    throw new CrossfootError('form_refused', 'This form was not sent by a page of this server.');
  }
  if (!FORM_TYPE.test(c.req.header('content-type') ?? '')) {
    throw refusedParameter('A form must have the content type application/x-www-form-urlencoded.');
  }
  const body = await readBody(c.req.raw, MAX_FORM_BYTES);
  if (body.tooLarge) {
    throw refusedParameter(`A form may hold ${MAX_FORM_BYTES} bytes.`);
  }
  return new URLSearchParams(body.text);
}

/**
 * Whether a browser sent this from a page of ours. Browsers name the origin of a form, and no page can change it. Ours is
 * the origin of the public address, or of the requested host, which may be this machine under another name. The scheme is
 * that of the public address: over http, an attacker on the wire can send a page of our host.
 */
function isOwnOrigin(origin: string | undefined, host: string | undefined, baseUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const own = new URL(baseUrl);
  const requested = `${own.protocol}//${host}`;
  return origin === own.origin || (URL.canParse(requested) && origin === new URL(requested).origin);
}
