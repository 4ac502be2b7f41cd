/** The search of the documentation at every public page: `?q=` leads to the page of hits. */
import { createMiddleware } from 'hono/factory';
import { redirectWithin } from '../http/header-values.ts';
import { rootOf } from './site-layout.ts';
import { asksForPage } from './unknown-address.ts';

/** The parameter of the words to search for. */
export const SEARCH_WORDS = 'q';

/** Leads a browser to the page of the search if words are all that it asks, unless the page itself takes them. */
export function leadToSearch(query: readonly string[]) {
  return createMiddleware(async (c, next) => {
    const { search, searchParams } = new URL(c.req.url);
    const names = [...searchParams.keys()];
    const asksForWords = names.length === 1 && names[0] === SEARCH_WORDS;
    if (asksForWords && !query.includes(SEARCH_WORDS) && asksForPage(c)) {
      return redirectWithin(c, `${rootOf(c.req.path)}docs/search${search}`, 303);
    }
    await next();
    return undefined;
  });
}
