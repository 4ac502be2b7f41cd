/** The reference pages of the API, which need no token. */
import { type Context, Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse, type StaticResponse } from '../http/static-response.ts';
import { guardPage, PAGE_SOURCES } from '../frame/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { apiGroupPage, apiOverview, groupSlug } from './api-page.ts';
import { API_STYLE } from './api-style.ts';
import type { ApiDocument } from '../contract/document.ts';
import { TAGS } from '../contract/introduction.ts';

export interface ApiPageParts {
  /** The contract with the public address of the API, which the examples name. */
  readonly describe: () => ApiDocument;
}

/** The pages and their style; each page is made and hashed once, at its first request. */
export function apiPageRoutes({ describe }: ApiPageParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guard = guardPage(PAGE_SOURCES);
  const style = staticResponse(API_STYLE, 'text/css; charset=utf-8');
  const pages = new Map<string, Promise<StaticResponse>>();
  const answer = async (c: Context, slug: string, make: () => Promise<string>): Promise<Response> => {
    const made = pages.get(slug) ?? make().then((page) => staticResponse(page, 'text/html; charset=utf-8'));
    pages.set(slug, made);
    return sendStatic(c, await made, CACHE_PUBLIC);
  };
  routes.get('/docs/api', acceptNoParameters, guard, (c) => answer(c, '', () => apiOverview(describe())));
  routes.get('/docs/api/page.css', acceptNoParameters, guard, (c) => sendStatic(c, style, CACHE_PUBLIC));
  for (const tag of TAGS) {
    const slug = groupSlug(tag);
    routes.get(`/docs/api/${slug}`, acceptNoParameters, guard, (c) =>
      answer(c, slug, () => apiGroupPage(describe(), slug)),
    );
  }
  return routes;
}
