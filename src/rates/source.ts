/** The source of reference rates: a local file or an https address. */
import { fileURLToPath } from 'node:url';
import { CrossfootError } from '../errors.ts';

export type RateSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'https'; readonly url: URL };

/** Parses a path, a file: URL or an https: URL; throws for any other address. */
export function parseSource(text: string): RateSource {
  const url = URL.parse(text);
  if (url === null) return { kind: 'file', path: text };
  if (url.protocol === 'https:' && url.username === '' && url.password === '') return { kind: 'https', url };
  if (url.protocol === 'file:' && url.host === '') return { kind: 'file', path: fileURLToPath(url) };
  throw new CrossfootError('usage_invalid', `Rates are not read from ${shownAddress(url)}.`, {
    hint: 'Name a file, or an https:// address without a user name. Other connections could change the rates on the way.',
  });
}

/** An address for messages: without user and query, which may hold secrets. */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The source for messages. */
export function shownSource(source: RateSource): string {
  return source.kind === 'file' ? source.path : shownAddress(source.url);
}
