/** Serves the programs that pull snapshots. They are public, like the contract. */
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import { acceptNoParameters } from '../http/parameters.ts';

/** The text of each program. */
export interface PullClients {
  readonly node: string;
  readonly python: string;
}

// A newer server has a newer program, with another entity tag.
const PUBLIC = { 'cache-control': 'public, no-cache' } as const;

/** The routes of the programs; each body is hashed once. */
export function pullRoutes({ node, python }: PullClients): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const programs = {
    '/pull.mjs': staticResponse(node, 'text/javascript; charset=utf-8'),
    '/pull.py': staticResponse(python, 'text/x-python; charset=utf-8'),
  };
  for (const [path, program] of Object.entries(programs)) {
    routes.get(path, acceptNoParameters, (c) => sendStatic(c, program, PUBLIC));
  }
  return routes;
}
