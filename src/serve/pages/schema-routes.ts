/** The routes of the schema browser. They need no token: the pages show no account's figures. */
import { type Context, Hono } from 'hono';
import type { SchemaDescription } from '../../tables/describe.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, CACHE_PUBLIC, staticResponse, type StaticResponse } from '../http/static-response.ts';
import { guardPage, PAGE_SOURCES } from '../frame/page-guard.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { type Html, sitePage } from '../frame/site-layout.ts';
import { NO_TABLE } from '../reporting/table-parameter.ts';
import { tableBody, tablesBody } from './schema-pages.ts';
import { refusalPage } from '../frame/sign-in-page.ts';

const HTML = 'text/html; charset=utf-8';

/** The page of all tables and a page for each; each is made once, at its first request. */
export function schemaRoutes(schema: SchemaDescription): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guard = guardPage(PAGE_SOURCES);
  const names = schema.tables.map(({ name }) => name);
  const pages = new Map<string, Promise<StaticResponse>>();
  const answer = async (c: Context, title: string, root: string, body: () => Html): Promise<Response> => {
    const made =
      pages.get(title) ??
      sitePage({ title, root, here: 'tables', body: body() }).then((page) => staticResponse(page, HTML));
    pages.set(title, made);
    return sendStatic(c, await made, CACHE_PUBLIC);
  };
  routes.get('/tables', acceptNoParameters, guard, (c) => answer(c, 'Tables', '', () => tablesBody(schema)));
  routes.get('/tables/:table', acceptNoParameters, guard, async (c) => {
    const table = schema.tables.find(({ name }) => name === c.req.param('table'));
    if (table === undefined) {
      c.header('cache-control', 'no-store');
      return c.html(await refusalPage('../', NO_TABLE, null), 404);
    }
    return await answer(c, table.name, '../', () => tableBody(table, names));
  });
  return routes;
}
