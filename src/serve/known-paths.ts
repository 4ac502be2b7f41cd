/** Which paths have a route. A request to any other path is answered 404, also when its body or its token is wrong. */
import { TrieRouter } from 'hono/router/trie-router';
import { getPath } from 'hono/utils/url';
import { ASSISTANT_PATH } from './assistant/request-body.ts';

interface Routed {
  readonly routes: readonly { readonly path: string; readonly method: string }[];
}

/**
 * True for a path of a route, with any method; the path is decoded as the application decodes it. Middleware alone, which is
 * of all methods, makes no route.
 */
export function knownPaths({ routes }: Routed): (path: string) => boolean {
  const router = new TrieRouter<true>();
  const paths = routes.filter(({ method, path }) => method !== 'ALL' || path === ASSISTANT_PATH);
  for (const path of new Set(paths.map((each) => each.path))) router.add('ALL', path, true);
  return (path) => router.match('ALL', getPath(new Request(`http://localhost${path}`)))[0].length > 0;
}
