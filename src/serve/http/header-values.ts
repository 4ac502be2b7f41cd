/**
 * Header values that contain parts of a request, or a list: a redirect never leaves this site, no value breaks a header, and
 * each challenge of a 401 has a line of its own.
 */
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { refusedParameter } from './parameters.ts';

/**
 * A relative path and a query: it begins with no slash and has no colon before the query, so it names neither a host nor a
 * scheme. It has printable ASCII only; its path has no backslash, which browsers read as a slash.
 */
const RELATIVE = /^(?:\.{1,2}\/)*(?:[\w.~!'()*%-]+(?:\/[\w.~!'()*%-]+)*)?(?:\?[!-~]*)?$/;

/** Redirects to a page of this site. Throws `parameter_refused` for any other address. */
export function redirectWithin(c: Context, location: string, status: 303 | 308): Response {
  if (RELATIVE.test(location)) return c.redirect(location, status);
  throw refusedParameter('This address leads to no page of this site.');
}

/** The header that makes browsers save an answer under this name; letters that are not plain become `_`. */
export function attachment(name: string): { readonly 'content-disposition': string } {
  return { 'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"` };
}

/** Before the scheme of the next challenge: a parameter has a `=` after its name, and a scheme has a blank. */
const NEXT_CHALLENGE = /, (?=[\w-]+ )/;

/**
 * Moves the challenges of the response to the answer, each as a line of its own. `Headers` joins the lines of a name, and
 * Java's HttpClient reads only the first challenge of a line.
 */
export function separateChallenges({ headers }: Response, outgoing: ServerResponse): void {
  const joined = headers.get('www-authenticate');
  if (joined === null) return;
  headers.delete('www-authenticate');
  outgoing.setHeader('www-authenticate', joined.split(NEXT_CHALLENGE));
}
