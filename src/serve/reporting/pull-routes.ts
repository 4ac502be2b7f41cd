/** The programs that pull snapshots, for whoever has an address and a token: public, like the contract. */
import { Hono } from 'hono';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerKept, keep } from '../http/kept-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';

/** The text of each program. */
export interface PullClients {
  readonly node: string;
  readonly python: string;
}

// A newer server hands out a newer program; whoever has this one is told so by its tag.
const PUBLIC = { 'cache-control': 'public, no-cache' } as const;

/** The routes of the programs, each body hashed once. */
export function pullRoutes({ node, python }: PullClients): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const programs = {
    '/pull.mjs': keep(node, 'text/javascript; charset=utf-8'),
    '/pull.py': keep(python, 'text/x-python; charset=utf-8'),
  };
  for (const [path, program] of Object.entries(programs)) {
    routes.get(path, acceptNoParameters, (c) => answerKept(c, program, PUBLIC));
  }
  return routes;
}
