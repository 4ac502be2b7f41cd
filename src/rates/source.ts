/** Where reference rates are read from: a file of this machine, or an address that is read over https alone. */
import { fileURLToPath } from 'node:url';
import { CrossfootError } from '../errors.ts';

export type RateSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'https'; readonly url: URL };

/** The source that a person named: a path, a file: URL or an https: URL; any other address is refused. */
export function parseSource(text: string): RateSource {
  const url = URL.parse(text);
  if (url === null) return { kind: 'file', path: text };
  if (url.protocol === 'https:' && url.username === '' && url.password === '') return { kind: 'https', url };
  if (url.protocol === 'file:' && url.host === '') return { kind: 'file', path: fileURLToPath(url) };
  throw new CrossfootError('usage_invalid', `Rates are not read from ${shownAddress(url)}.`, {
    hint: 'Name a file, or an https:// address without a user in it: what comes another way could be changed on it.',
  });
}

/** An address as a message may say it: without user and query, where secrets stand. */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** The source as a message says it. */
export function shownSource(source: RateSource): string {
  return source.kind === 'file' ? source.path : shownAddress(source.url);
}
