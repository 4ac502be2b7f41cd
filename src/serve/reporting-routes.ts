/** The `/reporting` routes that need a token: manifests and files of the newest and of earlier snapshots. */
import { Hono, type Context } from 'hono';
import { CrossfootError } from '../errors.ts';
import type { TokenHolder } from '../ledger/tokens.ts';
import type { SnapshotReader } from '../snapshot/reader.ts';
import { servedManifest, type ReadableSnapshot } from '../snapshot/served-manifest.ts';
import { requireToken, type Authenticate, type ServeEnv } from './authenticate.ts';
import { answerJson } from './json-answer.ts';
import { acceptNoParameters } from './parameters.ts';
import { answerTableFile, CACHE_LATEST, CACHE_PINNED } from './table-file.ts';

/** The part of the snapshot reader that the routes use. */
export type PublishedSnapshots = Pick<SnapshotReader, 'latest' | 'pinned' | 'openTable'>;

export interface ReportingParts {
  readonly authenticate: Authenticate;
  readonly snapshots: PublishedSnapshots;
  /** The public address, ending in /v1; asked for at each request, because port 0 is known only once bound. */
  readonly baseUrl: () => string;
}

// Hono has no suffix after a parameter, so the ending is part of the parameter's pattern.
const FILE = ':file{[a-z_]+\\.parquet}' as const;

/** The routes below `/v1/reporting`. */
export function reportingRoutes({ authenticate, snapshots, baseUrl }: ReportingParts): Hono<ServeEnv> {
  const routes = new Hono<ServeEnv>();
  const guards = [requireToken(authenticate), acceptNoParameters] as const;

  const manifest = (snapshot: ReadableSnapshot): Response =>
    answerJson(servedManifest(snapshot, baseUrl()), {
      'cache-control': CACHE_LATEST, // a pinned manifest too: expiry and pins of a snapshot change
      'x-snapshot-id': snapshot.snapshot_id,
    });

  const file = (
    c: Context<ServeEnv>,
    snapshot: ReadableSnapshot,
    name: string,
    cache: typeof CACHE_LATEST | typeof CACHE_PINNED,
  ) => {
    const { account_id } = c.var.principal;
    const { snapshot_id } = snapshot;
    const table = snapshot.tables.find((each) => `${each.name}.parquet` === name);
    if (table === undefined) throw new CrossfootError('not_found', 'There is no such reporting table.');
    const open = () => snapshots.openTable(account_id, snapshot_id, table.name);
    return answerTableFile(c, { snapshot_id, table, cache, open });
  };

  routes.get('/latest', ...guards, async (c) => manifest(await latest(snapshots, c.var.principal)));
  routes.get('/snapshots/:snapshot_id', ...guards, async (c) =>
    manifest(await pinned(snapshots, c.var.principal, c.req.param('snapshot_id'))),
  );
  routes.get(`/latest/${FILE}`, ...guards, async (c) =>
    file(c, await latest(snapshots, c.var.principal), c.req.param('file'), CACHE_LATEST),
  );
  routes.get(`/snapshots/:snapshot_id/${FILE}`, ...guards, async (c) => {
    const snapshot = await pinned(snapshots, c.var.principal, c.req.param('snapshot_id'));
    return file(c, snapshot, c.req.param('file'), CACHE_PINNED);
  });
  return routes;
}

async function latest(snapshots: PublishedSnapshots, principal: TokenHolder): Promise<ReadableSnapshot> {
  refuseSwitchedOff(principal);
  const snapshot = await snapshots.latest(principal.account_id);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', 'The first snapshot of this account is not complete yet.');
}

async function pinned(
  snapshots: PublishedSnapshots,
  principal: TokenHolder,
  snapshot_id: string,
): Promise<ReadableSnapshot> {
  refuseSwitchedOff(principal);
  const snapshot = await snapshots.pinned(principal.account_id, snapshot_id);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', 'There is no such snapshot in this account.');
}

function refuseSwitchedOff(principal: TokenHolder): void {
  if (principal.reporting_enabled) return;
  throw new CrossfootError(
    'not_found',
    'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.',
  );
}
