/** The `/reporting` routes that need a token: manifests and files of the newest and of earlier snapshots. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import {
  listedSnapshot,
  pinnedUrl,
  servedManifest,
  type ReadableSnapshot,
} from '../../snapshot/format/served-manifest.ts';
import { tableNamed } from '../../tables/all.ts';
import { requireToken, type Authenticate, type ServeEnv } from '../auth/authenticate.ts';
import { latestRoute, snapshotRoute, snapshotsRoute } from '../contract/reporting.ts';
import { answerJson } from '../http/json-answer.ts';
import { acceptNoParameters } from '../http/parameters.ts';
import { answerTableFile, CACHE_LATEST, CACHE_PINNED } from './table-file.ts';

export interface ReportingParts {
  readonly authenticate: Authenticate;
  readonly snapshots: SnapshotReader;
  /** The public address, ending in /v1; asked for at each request, because port 0 is known only once bound. */
  readonly baseUrl: () => string;
}

// Hono has no suffix after a parameter, so the ending is part of the parameter's pattern.
const FILE = ':file{[a-z_]+\\.parquet}' as const;
// Of a pinned manifest and of the list too: expiry and pins change.
const CACHE_JSON = { 'cache-control': 'private, no-cache' } as const;

/** The routes below `/v1/reporting` that need a token. */
export function reportingRoutes({ authenticate, snapshots, baseUrl }: ReportingParts): OpenAPIHono<ServeEnv> {
  const routes = new OpenAPIHono<ServeEnv>();
  const guards = [requireToken(authenticate), acceptNoParameters] as const;
  const middleware = [...guards];

  const identity = (snapshot: ReadableSnapshot) => snapshotHeaders(snapshot, baseUrl());

  const manifest = (c: Context<ServeEnv>, snapshot: ReadableSnapshot, headers = {}) => {
    c.set('logger', c.var.logger.with({ snapshot: snapshot.snapshot_id }));
    const told = { ...CACHE_JSON, ...headers, ...identity(snapshot) };
    return answerJson(c, servedManifest(snapshot, baseUrl()), told);
  };

  routes.openapi({ ...latestRoute, middleware }, async (c) => {
    const snapshot = await latest(snapshots, c);
    return manifest(c, snapshot, await latestHeaders(snapshots, c, snapshot, baseUrl()));
  });
  // The twins of the contract's `{table}.parquet`.
  routes.get(`/reporting/latest/${FILE}`, ...guards, async (c) => {
    const snapshot = await latest(snapshots, c);
    const name = c.req.param('file');
    const headers = {
      'cache-control': CACHE_LATEST,
      ...(await latestHeaders(snapshots, c, snapshot, baseUrl(), `/${name}`)),
      ...identity(snapshot),
    };
    return await answerTable(c, snapshots, snapshot, name, headers);
  });
  routes.openapi({ ...snapshotsRoute, middleware }, async (c) => {
    const listed = await snapshots.list(accountOf(c));
    const data = listed.map((snapshot) => listedSnapshot(snapshot, baseUrl()));
    return answerJson(c, { data }, { ...CACHE_JSON, ...(await behindLog(snapshots, c)) });
  });
  routes.openapi({ ...snapshotRoute, middleware }, async (c) =>
    manifest(c, await pinned(snapshots, c, c.req.valid('param').snapshot_id)),
  );
  routes.get(`/reporting/snapshots/:snapshot_id/${FILE}`, ...guards, async (c) => {
    const snapshot = await pinned(snapshots, c, c.req.param('snapshot_id'));
    const headers = { 'cache-control': cacheOf(snapshot), ...identity(snapshot) };
    return await answerTable(c, snapshots, snapshot, c.req.param('file'), headers);
  });
  return routes;
}

/** The newest snapshot of the token's account; refused when there is none. */
export async function latest(snapshots: SnapshotReader, c: Context<ServeEnv>): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.latest(accountOf(c));
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', 'The first snapshot of this account is not complete yet.');
}

/**
 * What only an answer about the newest snapshot says: the pinned address, where this snapshot stays when a newer one
 * comes, and whether the log names newer ones that cannot be read.
 */
export async function latestHeaders(
  snapshots: SnapshotReader,
  c: Context<ServeEnv>,
  { snapshot_id }: Pick<ReadableSnapshot, 'snapshot_id'>,
  baseUrl: string,
  tail = '',
): Promise<Record<string, string>> {
  return {
    'content-location': new URL(pinnedUrl(snapshot_id, baseUrl)).pathname + tail,
    ...(await behindLog(snapshots, c)),
  };
}

/** The header of an answer that lacks what a damaged log names; nothing while the log is whole. */
async function behindLog(snapshots: SnapshotReader, c: Context<ServeEnv>): Promise<Record<string, string>> {
  const seq = await snapshots.logBrokenAt(accountOf(c));
  return seq === null ? {} : { 'x-latest-behind-log': String(seq) };
}

/** Which snapshot an answer is of, and whether it may be relied upon. */
export function snapshotHeaders(
  { snapshot_id, retraction }: ReadableSnapshot,
  baseUrl: string,
): Record<string, string> {
  if (retraction === null) return { 'x-snapshot-id': snapshot_id };
  const { at, replaced_by } = retraction;
  const told = { 'x-snapshot-id': snapshot_id, 'x-snapshot-retracted': at };
  if (replaced_by === null) return told;
  return { ...told, link: `<${pinnedUrl(replaced_by, baseUrl)}>; rel="successor-version"` };
}

/** A table of a snapshot, by the name of its file, as whoever the request is of may read it. */
export async function answerTable(
  c: Context<ServeEnv>,
  snapshots: SnapshotReader,
  { snapshot_id, tables }: ReadableSnapshot,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { account_id } = c.var.principal;
  const table = tables.find((each) => `${each.name}.parquet` === name);
  if (table === undefined) throw noTable(name);
  c.set('logger', c.var.logger.with({ snapshot: snapshot_id, table: table.name }));
  await snapshots.refuseDamaged(account_id, snapshot_id, table.name);
  return await answerTableFile(c, {
    table,
    headers,
    open: (range) => snapshots.openTable(account_id, snapshot_id, table.name, range),
  });
}

/** That snapshot of the token's account; refused when there is none. */
export async function pinned(
  snapshots: SnapshotReader,
  c: Context<ServeEnv>,
  snapshot_id: string,
): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.pinned(accountOf(c), snapshot_id);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', 'There is no such snapshot in this account.');
}

// A file of a retracted snapshot is asked about each time: whoever reads it again is to hear of the retraction.
function cacheOf({ retraction }: ReadableSnapshot): string {
  return retraction === null ? CACHE_PINNED : CACHE_LATEST;
}

/** The account whose snapshots may be read: the token's own, if it has reporting switched on. */
export function accountOf(c: Context<ServeEnv>): bigint {
  const { account_id, reporting_enabled } = c.var.principal;
  if (reporting_enabled) return account_id;
  throw new CrossfootError(
    'not_found',
    'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.',
  );
}

/** The 404 of a table that a snapshot does not have. */
export function noTable(name: string): CrossfootError {
  const message =
    tableNamed(name.replace(/\.parquet$/, '')) === undefined
      ? 'There is no such reporting table.'
      : 'This snapshot was built before it had this table.';
  return new CrossfootError('not_found', message);
}
