/** What is generated from the declarations for warehouses; it names no figure, so it needs no token. */
import { Hono } from 'hono';
import { DIALECTS } from '../../tables/dialects.ts';
import { dbtSources } from '../../warehouse/dbt-sources.ts';
import { loadSql } from '../../warehouse/load-tables.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerKept, keep } from '../http/kept-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { noDialect } from './proof-routes.ts';

const PUBLIC = { 'cache-control': 'public, max-age=300' } as const;

/** The routes of the generated texts, each made and hashed once. */
export function warehouseRoutes(): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const loads = new Map(
    DIALECTS.map((dialect) => [`${dialect}.sql`, keep(loadSql(dialect), 'application/sql')]),
  );
  const sources = keep(dbtSources(), 'application/yaml');
  // The twin of the contract's `{dialect}.sql`.
  routes.get('/reporting/load/:dialect{[a-z]+\\.sql}', acceptNoParameters, (c) => {
    const load = loads.get(c.req.param('dialect'));
    if (load === undefined) throw noDialect();
    return answerKept(c, load, PUBLIC);
  });
  routes.get('/reporting/dbt/sources.yml', acceptNoParameters, (c) => answerKept(c, sources, PUBLIC));
  return routes;
}
