/** What changed between two snapshots of an account, a page at a time. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Diffs } from '../../diff/kept-diffs.ts';
import type { Context } from 'hono';
import { requireToken, type ServeEnv } from '../auth/authenticate.ts';
import { diffRoute } from '../contract/diff.ts';
import type { Cursors } from '../live/cursor.ts';
import { answerJson } from '../http/json-answer.ts';
import { parameterRefusal } from '../http/parameter-refusal.ts';
import { acceptParameters } from '../http/parameters.ts';
import { latest, pinned, type ReportingParts } from './reporting-routes.ts';

export interface DiffParts extends ReportingParts {
  readonly diffs: Diffs;
  readonly cursors: Cursors;
}

// Snapshots do not change, but each may expire or be retracted: whoever kept an answer asks again.
const LATEST = 'latest';
const CACHE = { 'cache-control': 'private, no-cache' } as const;

/** The route below /v1/reporting, for personal and reporting tokens. */
export function diffRoutes(parts: DiffParts): OpenAPIHono<ServeEnv> {
  const { authenticate, snapshots, diffs, cursors, baseUrl } = parts;
  const chosen = (c: Context<ServeEnv>, id: string) =>
    id === LATEST ? latest(snapshots, c) : pinned(snapshots, c, id);
  /** Where this very comparison stays when a newer snapshot comes; nothing for an address that names both. */
  const location = (c: Context<ServeEnv>, ids: Readonly<Record<'from' | 'to', string>>) => {
    if (!Object.values(c.req.param()).includes(LATEST)) return {};
    const path = `${new URL(baseUrl()).pathname}/reporting/diff/${ids.from}/${ids.to}`;
    return { 'content-location': path + new URL(c.req.url).search };
  };
  const routes = new OpenAPIHono<ServeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw parameterRefusal(result.error);
    },
  });
  const names = Object.keys(diffRoute.request.query.shape);
  const middleware = [requireToken(authenticate), acceptParameters(names)];
  routes.openapi({ ...diffRoute, middleware }, async (c) => {
    const { cursor, limit, table } = c.req.valid('query');
    const named = c.req.valid('param');
    const [from, to] = [await chosen(c, named.from), await chosen(c, named.to)];
    const { account_id } = c.var.principal;
    const bound = {
      account_id,
      route: `${diffRoute.path} ${from.snapshot_id} ${to.snapshot_id}`,
      filters: { table },
    };
    // A cursor holds a change time and an id; here the place in the list stands for the id.
    const first = cursor === undefined ? 0 : Number(cursors.open(bound, cursor).id);
    const answer = await diffs.use(account_id, from, to, async (diff) => {
      const { changes, next } = await diff.page(first, limit, table);
      const next_cursor = next === null ? null : cursors.seal(bound, { updated_at: 0n, id: BigInt(next) });
      return {
        from: from.snapshot_id,
        to: to.snapshot_id,
        tables: [...diff.tables],
        data: [...changes],
        page: { next_cursor, has_more: next !== null },
      };
    });
    return answerJson(c, answer, { ...CACHE, ...location(c, answer) });
  });
  return routes;
}
