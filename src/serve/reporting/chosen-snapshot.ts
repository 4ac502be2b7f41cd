/** Finds the snapshot that a request names, or refuses the request, and makes the headers of the answer. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { pinnedUrl, type ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { LATEST, meansNewest } from '../../snapshot/format/snapshot-id.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { formatInstant } from '../../time.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { text } from '../contract/shapes.ts';
import { CACHE_LATEST, cachePinned } from './table-file.ts';

export interface ReportingParts {
  readonly snapshots: SnapshotReader;
  /** The public address, ending in /v1. A function, because port 0 is resolved only when the server is bound. */
  readonly baseUrl: () => string;
}

const ID = 'The id of a snapshot, as a manifest or the list names it.';
const example = { param: { example: '20261120T020000Z' } };

/** The path parameter that is the id of a snapshot. */
export const own_snapshot_id = text(ID).openapi(example);

/** The path parameter that names a snapshot. */
export const snapshot_id = text(
  `${ID} Also \`latest\`, or the name of a pin: the newest snapshot with this pin.`,
).openapi(example);

/** When a 404 about a snapshot occurs, for the contract. */
export const ABSENT = {
  snapshot: 'The account has no such snapshot, or it has expired.',
  latest: 'There is no snapshot of this account yet.',
} as const;
export const NO_SNAPSHOT =
  'There is no such snapshot in this account: write its id, latest, or the name of a pin that has not ended.';
export const UNBUILT = 'The first snapshot of this account is not complete yet.';
export const SWITCHED_OFF =
  'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.';

/** The shape of the header of `behindLog`. */
export const behindLogShape = {
  'x-latest-behind-log': text(
    'The number of the first unreadable entry of the publish log: newer snapshots than the answered one were published. Absent while the log is undamaged.',
  ).optional(),
};

/** The shapes of the headers of an answer about a named snapshot. */
export const snapshotHeaderShapes = {
  'x-snapshot-id': text('The id of the answered snapshot.'),
  'x-snapshot-retracted': text(
    'When the snapshot was retracted; its manifest says why. Absent otherwise.',
  ).optional(),
  link: text(
    'The manifest of the snapshot that replaces a retracted one, as `successor-version`.',
  ).optional(),
  'content-location': text(
    'The address by the id of the snapshot, if the request named it by `latest` or a pin.',
  ).optional(),
  ...behindLogShape,
};

/** The headers of every answer about the newest snapshot. */
export const latestHeaderShapes = {
  ...snapshotHeaderShapes,
  'content-location': text('The pinned address, where this very snapshot stays when a newer one comes.'),
};

/** The newest snapshot of the token's account; throws 404 if there is none, or if reporting is off. */
export async function latest({ snapshots }: ReportingParts, c: Context<ServeEnv>): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.latest(accountOf(c));
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', UNBUILT);
}

/** The named snapshot of the token's account; throws 404 if there is none, if it has expired, or if reporting is off. */
export async function pinned(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
  id: string,
): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.pinned(accountOf(c), id);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', NO_SNAPSHOT);
}

/**
 * The snapshot that a request names: by its id, by `latest` or `newest`, or by a pin, which means the newest snapshot with this
 * pin. Throws 404 if there is none, if it has expired, or if reporting is off.
 */
export async function requireSnapshot(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
  name: string,
): Promise<ReadableSnapshot> {
  const found = await snapshots.named(accountOf(c), name);
  if (found !== null) return found;
  throw new CrossfootError('not_found', meansNewest(name) ? UNBUILT : NO_SNAPSHOT);
}

/** True if the path of the request does not name the snapshot by its id: it may mean another snapshot later. */
export function addressMoves(c: Context<ServeEnv>, { snapshot_id: id }: ReadableSnapshot): boolean {
  return c.req.param('snapshot_id') !== id;
}

/** The headers of an answer whose path names the snapshot. `cache` replaces how long a client may keep it. */
export async function addressHeaders(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  snapshot: ReadableSnapshot,
  cache?: string,
): Promise<Record<string, string>> {
  const moves = addressMoves(c, snapshot);
  const headers = {
    'cache-control': cache ?? (moves ? CACHE_LATEST : cachePinned(snapshot)),
    ...snapshotHeaders(parts, snapshot),
  };
  if (!moves) return headers;
  const path = c.req.path.replace(
    /^\/v1(.*?\/snapshots\/)[^/]+/,
    (_, before: string) => before + snapshot.snapshot_id,
  );
  return {
    ...headers,
    'content-location': new URL(parts.baseUrl()).pathname + path + searchOf(c),
    ...(await behindLog(parts, c, c.req.param('snapshot_id'))),
  };
}

/** The headers that name the answered snapshot and say whether it was retracted. */
export function snapshotHeaders(
  { baseUrl }: Pick<ReportingParts, 'baseUrl'>,
  { snapshot_id: id, retraction }: ReadableSnapshot,
): Record<string, string> {
  if (retraction === null) return { 'x-snapshot-id': id };
  const { at, replaced_by } = retraction;
  const headers = { 'x-snapshot-id': id, 'x-snapshot-retracted': formatInstant(at) };
  if (replaced_by === null) return headers;
  return { ...headers, link: `<${pinnedUrl(replaced_by, baseUrl())}>; rel="successor-version"` };
}

/**
 * The headers of an answer about `latest`: those of every snapshot, the pinned address, and a note if the log has
 * newer entries that cannot be read. The pinned address has the snapshot's id, so it still means this snapshot after a
 * newer one is published. `tail` is the end of that address, such as `/SHA256SUMS`.
 */
export async function latestHeaders(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  snapshot: ReadableSnapshot,
  tail = '',
): Promise<Record<string, string>> {
  return {
    ...snapshotHeaders(parts, snapshot),
    'content-location':
      new URL(pinnedUrl(snapshot.snapshot_id, parts.baseUrl())).pathname + tail + searchOf(c),
    ...(await behindLog(parts, c)),
  };
}

/** The query of the request, which an address of the same answer has, too. */
function searchOf(c: Context<ServeEnv>): string {
  return new URL(c.req.url).search;
}

/**
 * The header that tells of newer entries of the log that cannot be read; empty while the log is undamaged, and for a name
 * that does not mean the newest snapshot.
 */
export async function behindLog(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
  name = LATEST,
): Promise<Record<string, string>> {
  if (!meansNewest(name)) return {};
  const seq = await snapshots.logBrokenAt(accountOf(c));
  return seq === null ? {} : { 'x-latest-behind-log': String(seq) };
}

/** The account of the token, if reporting is switched on for it. */
export function accountOf(c: Context<ServeEnv>): bigint {
  const { account_id, reporting_enabled } = c.var.principal;
  if (reporting_enabled) return account_id;
  throw new CrossfootError('not_found', SWITCHED_OFF);
}
