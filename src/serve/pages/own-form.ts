/** Forms of our own pages: read whole, and refused when another site has sent them. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { readBody } from '../http/read-body.ts';

/** Where forms are sent. */
export const FORM_PATHS = ['/sign-in', '/sign-out'] as const;

/** The most that a form may hold: a token of 56 characters, and whatever was pasted along with it. */
export const MAX_FORM_BYTES = 4 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** The fields of a form that a page of ours has sent. */
export async function readOwnForm(c: Context, baseUrl: string): Promise<URLSearchParams> {
  if (!isOwnOrigin(c.req.header('origin'), c.req.header('host'), baseUrl)) {
    throw new CrossfootError('form_refused', 'This form was not sent by a page of this server.');
  }
  if (!FORM_TYPE.test(c.req.header('content-type') ?? '')) {
    throw new CrossfootError('parameter_refused', 'A form comes as application/x-www-form-urlencoded.');
  }
  const body = await readBody(c.req.raw, MAX_FORM_BYTES);
  if (body.tooLarge) {
    throw new CrossfootError('parameter_refused', `A form may hold ${MAX_FORM_BYTES} bytes.`);
  }
  return new URLSearchParams(body.text);
}

/**
 * Whether a browser sent this from a page of ours: each names the origin of a form, and no page can change what it says.
 * Ours is that of the public address, or the very host that was asked: this machine by another of its names.
 */
function isOwnOrigin(origin: string | undefined, host: string | undefined, baseUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === new URL(baseUrl).origin || new URL(origin).host === host;
}
