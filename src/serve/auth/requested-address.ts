/** The address that a signed-out reader requested: sign-in carries it along and then leads to it. */
import type { Context } from 'hono';

/** The name of the parameter and of the form's field with the address. */
export const REQUESTED = 'to';

/**
 * A path of this server from its top, without a slash at its beginning, and a query. Each segment begins with a letter, a
 * digit or `_`, and has no colon. So the address names no scheme and no host, and leads no folder up.
 */
const OWN_ADDRESS = /^(?:\w[\w.-]*(?:\/\w[\w.-]*)*)?(?:\?[\w.~!$'()*+,;:@/?&=%-]*)?$/;
/** The maximum length, as a form sends it: the form has at most 4 KiB, and the token takes less than 1 KiB. */
const MAX_SENT_CHARACTERS = 3_000;

/** The address, if it is one of this server; null for any other text and for the top itself. */
export function ownAddress(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  return OWN_ADDRESS.test(text) && encodeURIComponent(text).length <= MAX_SENT_CHARACTERS ? text : null;
}

/** Printable characters that a URL parser leaves in a query, and that an address of ours has only encoded. */
const RAW = /[^\w.~!$'()*+,;:@/?&=%-]/g;

/** The address of this request, from the top; null for the top itself, and for an address that cannot be carried. */
export function requestedAddress(c: Context): string | null {
  const { pathname, search } = new URL(c.req.url);
  return ownAddress(`${pathname.slice(1)}${search.replaceAll(RAW, encodeURIComponent)}`);
}

/** Where a signed-out reader is led: the top, with the requested address. `root` is the path to the top. */
export function signInAddress(c: Context, root: string): string {
  const requested = requestedAddress(c);
  return requested === null ? root : `${root}?${REQUESTED}=${encodeURIComponent(requested)}`;
}
