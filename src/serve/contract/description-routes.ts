/** What needs no token: the descriptions of the tables and of the API, and the page that shows the second. */
import { Hono } from 'hono';
import type { SchemaDescription } from '../../tables/describe.ts';
import { API_PAGE_SOURCES, API_PAGE_START, apiPage, type ApiPageFiles } from './api-page.ts';
import { API_STYLE } from './api-style.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { describeApi } from './document.ts';
import { answerKept, keep, type Kept } from '../http/kept-answer.ts';
import { guardPage } from '../http/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';

export interface DescriptionParts {
  readonly schema: SchemaDescription;
  /** The public address, ending in /v1; known only once the server is bound. */
  readonly baseUrl: () => string;
  readonly apiPageFiles: ApiPageFiles;
}

// Names no figure of any account, so any cache may keep it.
const PUBLIC = { 'cache-control': 'public, max-age=300' } as const;

/** The routes of the descriptions, each body made and hashed once. */
export function descriptionRoutes({ schema, baseUrl, apiPageFiles }: DescriptionParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const tables = keep(JSON.stringify(schema), 'application/json');
  let contract: Kept | null = null;
  routes.get('/v1/reporting/schema.json', acceptNoParameters, (c) => answerKept(c, tables, PUBLIC));
  routes.get('/v1/openapi.json', acceptNoParameters, (c) => {
    contract ??= keep(JSON.stringify(describeApi(baseUrl())), 'application/json');
    return answerKept(c, contract, PUBLIC);
  });

  const guard = guardPage(API_PAGE_SOURCES);
  const page = apiPage().then((text) => keep(text, 'text/html; charset=utf-8'));
  routes.get('/docs/api', acceptNoParameters, guard, async (c) => answerKept(c, await page, PUBLIC));
  const files = {
    '/docs/api/page.css': keep(API_STYLE, 'text/css; charset=utf-8'),
    '/docs/api/start.js': keep(API_PAGE_START, 'text/javascript; charset=utf-8'),
    '/docs/api/swagger-ui.css': keep(apiPageFiles.style, 'text/css; charset=utf-8'),
    '/docs/api/swagger-ui-bundle.js': keep(apiPageFiles.script, 'text/javascript; charset=utf-8'),
  };
  for (const [path, file] of Object.entries(files)) {
    routes.get(path, acceptNoParameters, guard, (c) => answerKept(c, file, PUBLIC));
  }
  return routes;
}
