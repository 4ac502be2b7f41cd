/** Pages of a list of the protocol: `maxResults` items, and a token for the next page. */
import { refusedParameter } from '../http/parameters.ts';

const INTEGER = /^\d{1,9}$/;

interface Page<Item> {
  readonly items: readonly Item[];
  /** Absent on the last page, because clients would read an empty text as a token. */
  readonly nextPageToken?: string;
}

/**
 * A page of the items. The token names the first item of the next page and not its number, so that a pin set between two
 * requests neither repeats nor skips an item.
 */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  query: Readonly<Record<string, string>>,
): Page<Item> {
  const { maxResults, pageToken = '' } = query;
  if (maxResults !== undefined && !INTEGER.test(maxResults)) {
    throw refusedParameter(`maxResults must be a whole number from 0, found ${JSON.stringify(maxResults)}.`);
  }
  const first = pageToken === '' ? 0 : items.findIndex(({ id }) => id === pageToken);
  if (first === -1)
    throw refusedParameter('The pageToken is not one of this list. List again from the first page.');
  const next = items[first + Number(maxResults ?? items.length)];
  const page = { items: items.slice(first, next === undefined ? undefined : items.indexOf(next)) };
  return next === undefined ? page : { ...page, nextPageToken: next.id };
}
