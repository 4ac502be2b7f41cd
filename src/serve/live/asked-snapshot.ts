/** The parameter `snapshot_id` of the read API: the snapshot that it names, and the headers of the answer. */
import { z } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import type { ReadApi } from '../../config.ts';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { isSnapshotId, LATEST } from '../../snapshot/format/snapshot-id.ts';
import { formatInstant } from '../../time.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerJson } from '../http/json-answer.ts';
import { refusedParameter } from '../http/parameters.ts';
import {
  behindLog,
  pinned,
  type ReportingParts,
  requireSnapshot,
  snapshotHeaders,
  snapshotHeaderShapes,
} from '../reporting/chosen-snapshot.ts';
import { CACHE_LATEST, cachePinned } from '../reporting/table-file.ts';
import type { JsonObject } from './live-answer.ts';
import { parameter } from '../contract/queries.ts';
import { text } from '../contract/shapes.ts';
import { areDerived } from '../../tables/file-sets.ts';

/** The parameter. Any text is well-formed: a text that names no snapshot is 404. */
export const snapshot_id = parameter((name) => name, 'a snapshot', {
  type: 'string',
  description:
    'Answer as of this snapshot: its id, `latest`, or the name of a pin, which means the newest snapshot with this pin. 400 for rows that the snapshot does not hold. Without `snapshot_id` the answer is live. With `READ_API=snapshots` it is of the newest snapshot, and lists leave out rows that changed since its `changes_from`.',
  example: '20261120T020000Z',
});

/** The headers of an answer as of a snapshot. A live answer lacks them. */
export const asOfHeaders = z.object({
  ...snapshotHeaderShapes,
  'x-snapshot-id': text('The id of the answered snapshot; absent from a live answer.').optional(),
  'content-location': text(
    'The address by the id of the snapshot, when the request named it by `latest`, a pin or not at all.',
  ).optional(),
});

export interface AsOfParts extends ReportingParts {
  readonly readApi: ReadApi;
}

/** How a request asks for a snapshot. */
interface SnapshotRequest {
  readonly name: string;
  /** True: the request names no snapshot, and the server answers from the newest one. */
  readonly unnamed: boolean;
}

export interface AskedSnapshot {
  readonly snapshot: ReadableSnapshot;
  /** True: the request named the id, so its answer never changes. */
  readonly byId: boolean;
  readonly unnamed: boolean;
  /** The header of `behindLog`. */
  readonly behind: Readonly<Record<string, string>>;
}

/** The snapshot that the query asks for; null: the ledger answers. Throws if samples are requested of a snapshot. */
export function snapshotRequest(
  { readApi }: Pick<AsOfParts, 'readApi'>,
  {
    snapshot_id: name,
    ...query
  }: Readonly<Record<string, unknown>> & {
    readonly snapshot_id?: string | undefined;
  },
): SnapshotRequest | null {
  if (name === undefined && readApi === 'live') return null;
  const unnamed = name === undefined;
  refuseSamples(query, unnamed);
  return { name: name ?? LATEST, unnamed };
}

/** The requested snapshot. `held` is the snapshot of the request's cursor: `latest` and pins stay on it. */
export async function askedSnapshot(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  { name, unnamed }: SnapshotRequest,
  held?: string,
): Promise<AskedSnapshot> {
  const byId = isSnapshotId(name);
  const id = byId ? name : held;
  const snapshot = await (id !== undefined ? pinned(parts, c, id) : requireSnapshot(parts, c, name));
  const { quarantine } = snapshot;
  if (quarantine === null || areDerived(quarantine.files)) {
    return { snapshot, byId, unnamed, behind: await behindLog(parts, c, id ?? name) };
  }
  throw new CrossfootError('file_corrupt', `${snapshot.snapshot_id}: a scrub found damaged files.`, {
    hint: 'Restore the files from a copy, then run npx --no crossfoot scrub.',
    data: { snapshot: snapshot.snapshot_id },
  });
}

/**
 * A list without `snapshot_id` leaves out the rows that changed at this moment or later: a transaction that was open at the
 * snapshot's moment may still commit changes after it. Undefined if the request names a snapshot: that list has all rows.
 */
export function heldBackFrom({ snapshot, unnamed }: AskedSnapshot): bigint | undefined {
  if (!unnamed) return undefined;
  if (snapshot.changes_from !== null) return snapshot.changes_from;
  throw refusedParameter(
    'The parameter snapshot_id must be sent: the newest snapshot was read from a standby, which does not know the open transactions. Send snapshot_id=latest for the whole list.',
  );
}

/** Throws if samples are requested of a snapshot, which holds none. */
function refuseSamples({ include_sample }: Readonly<Record<string, unknown>>, unnamed: boolean): void {
  if (include_sample !== true) return;
  throw refusedParameter(
    unnamed
      ? 'The parameter include_sample must be false: this server answers from snapshots, which hold no sample initiatives.'
      : 'The parameter include_sample must be false with snapshot_id: a snapshot holds no sample initiatives.',
  );
}

/**
 * The answer with the snapshot's id and moment. A list that leaves rows out gets no Content-Location, because the address by
 * id would answer with these rows, too.
 */
export function answerAsOf<Value extends JsonObject>(
  c: Context<ServeEnv>,
  parts: ReportingParts,
  { snapshot, byId, behind }: AskedSnapshot,
  value: Value,
  holdsBack = false,
): Response & TypedResponse<Value, 200, 'json'> {
  const { snapshot_id: id, generated_at } = snapshot;
  const location = new URL(c.req.url);
  location.searchParams.set('snapshot_id', id);
  return answerJson(
    c,
    { ...value, snapshot_id: id, generated_at: formatInstant(generated_at) },
    {
      'cache-control': byId ? cachePinned(snapshot) : CACHE_LATEST,
      ...(!byId && !holdsBack && { 'content-location': `${location.pathname}${location.search}` }),
      ...snapshotHeaders(parts, snapshot),
      ...behind,
    },
  );
}
