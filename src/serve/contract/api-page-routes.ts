/** The reference page of the API, which needs no token. */
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse } from '../http/static-response.ts';
import { guardPage } from '../http/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { API_PAGE_SOURCES, API_PAGE_START, apiPage, type ApiPageFiles } from './api-page.ts';
import { API_STYLE } from './api-style.ts';

export interface ApiPageParts {
  readonly apiPageFiles: ApiPageFiles;
}

/** The page and its files; each body is made and hashed once. */
export function apiPageRoutes({ apiPageFiles }: ApiPageParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guard = guardPage(API_PAGE_SOURCES);
  const page = apiPage().then((text) => staticResponse(text, 'text/html; charset=utf-8'));
  routes.get('/docs/api', acceptNoParameters, guard, async (c) => sendStatic(c, await page, CACHE_PUBLIC));
  const files = {
    '/docs/api/page.css': staticResponse(API_STYLE, 'text/css; charset=utf-8'),
    '/docs/api/start.js': staticResponse(API_PAGE_START, 'text/javascript; charset=utf-8'),
    '/docs/api/swagger-ui.css': staticResponse(apiPageFiles.style, 'text/css; charset=utf-8'),
    '/docs/api/swagger-ui-bundle.js': staticResponse(apiPageFiles.script, 'text/javascript; charset=utf-8'),
  };
  for (const [path, file] of Object.entries(files)) {
    routes.get(path, acceptNoParameters, guard, (c) => sendStatic(c, file, CACHE_PUBLIC));
  }
  return routes;
}
