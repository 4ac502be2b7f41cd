/** The snapshot that a request names: how it is found or refused, and the headers of an answer about it. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import { pinnedUrl, type ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { formatInstant } from '../../time.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { text } from '../live/shapes.ts';

export interface ReportingParts {
  readonly snapshots: SnapshotReader;
  /** The public address, ending in /v1; asked for at each request, because port 0 is known only once bound. */
  readonly baseUrl: () => string;
}

/** The parameter that names a snapshot. */
export const snapshot_id = text('The id of a snapshot, as a manifest or the list names it.').openapi({
  param: { example: '20261120T020000Z' },
});

/** What a 404 about a snapshot says in the contract: when it is given, and its message. */
export const ABSENT = {
  snapshot: 'There is no such snapshot in this account, or it was kept long enough.',
  latest: 'There is no snapshot of this account yet.',
} as const;
export const NO_SNAPSHOT = 'There is no such snapshot in this account.';
export const UNBUILT = 'The first snapshot of this account is not complete yet.';
export const SWITCHED_OFF =
  'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.';

/** The headers of every answer about one snapshot, as `snapshotHeaders` makes them. */
export const snapshotHeaderShapes = {
  'x-snapshot-id': text('The snapshot that is answered.'),
  'x-snapshot-retracted': text(
    'When the snapshot was retracted; its manifest says why. Absent unless it was.',
  ).optional(),
  link: text(
    'The manifest of the snapshot that replaces a retracted one, as `successor-version`.',
  ).optional(),
};

/** The header that `behindLog` makes. */
export const behindLogShape = {
  'x-latest-behind-log': text(
    'The number of the first entry of the publish log that cannot be read: snapshots newer than the newest one answered were published. Absent while the log is whole.',
  ).optional(),
};

/** The headers of every answer about the newest snapshot. */
export const latestHeaderShapes = {
  ...snapshotHeaderShapes,
  'content-location': text('The pinned address, where this very snapshot stays when a newer one comes.'),
  ...behindLogShape,
};

/** The newest snapshot of the token's account; refused when there is none. */
export async function latest({ snapshots }: ReportingParts, c: Context<ServeEnv>): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.latest(accountOf(c));
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', UNBUILT);
}

/** That snapshot of the token's account; refused when there is none. */
export async function pinned(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
  id: string,
): Promise<ReadableSnapshot> {
  const snapshot = await snapshots.pinned(accountOf(c), id);
  if (snapshot !== null) return snapshot;
  throw new CrossfootError('not_found', NO_SNAPSHOT);
}

/** Which snapshot an answer is of, and whether it may be relied upon. */
export function snapshotHeaders(
  { baseUrl }: Pick<ReportingParts, 'baseUrl'>,
  { snapshot_id: id, retraction }: ReadableSnapshot,
): Record<string, string> {
  if (retraction === null) return { 'x-snapshot-id': id };
  const { at, replaced_by } = retraction;
  const told = { 'x-snapshot-id': id, 'x-snapshot-retracted': formatInstant(at) };
  if (replaced_by === null) return told;
  return { ...told, link: `<${pinnedUrl(replaced_by, baseUrl())}>; rel="successor-version"` };
}

/**
 * The headers of an answer about the newest snapshot. Beside those of any snapshot: the pinned address, where this
 * snapshot stays when a newer one comes, and whether the log names newer ones that cannot be read. `tail` is the rest
 * of the address, as in `/SHA256SUMS`.
 */
export async function latestHeaders(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  snapshot: ReadableSnapshot,
  tail = '',
): Promise<Record<string, string>> {
  return {
    ...snapshotHeaders(parts, snapshot),
    'content-location': new URL(pinnedUrl(snapshot.snapshot_id, parts.baseUrl())).pathname + tail,
    ...(await behindLog(parts, c)),
  };
}

/** The header of an answer that lacks what a damaged log names; nothing while the log is whole. */
export async function behindLog(
  { snapshots }: ReportingParts,
  c: Context<ServeEnv>,
): Promise<Record<string, string>> {
  const seq = await snapshots.logBrokenAt(accountOf(c));
  return seq === null ? {} : { 'x-latest-behind-log': String(seq) };
}

/** The account whose snapshots may be read: the token's own, if it has reporting switched on. */
export function accountOf(c: Context<ServeEnv>): bigint {
  const { account_id, reporting_enabled } = c.var.principal;
  if (reporting_enabled) return account_id;
  throw new CrossfootError('not_found', SWITCHED_OFF);
}
