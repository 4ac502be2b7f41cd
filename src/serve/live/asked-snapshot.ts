/** The parameter `snapshot_id` of the read API: the snapshot that it names, and the headers of the answer. */
import { z } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { isSnapshotId } from '../../snapshot/format/snapshot-id.ts';
import { formatInstant } from '../../time.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { answerJson } from '../http/json-answer.ts';
import {
  accountOf,
  latest,
  NO_SNAPSHOT,
  pinned,
  type ReportingParts,
  snapshotHeaders,
  snapshotHeaderShapes,
} from '../reporting/chosen-snapshot.ts';
import { CACHE_LATEST, cachePinned } from '../reporting/table-file.ts';
import type { JsonObject } from './live-answer.ts';
import { parameter } from './queries.ts';
import { text } from './shapes.ts';

/** The parameter. Any text is well-formed: a text that names no snapshot is 404. */
export const snapshot_id = parameter((name) => name, 'a snapshot', {
  type: 'string',
  description:
    'Answer as of this snapshot: its id, `latest`, or the name of a pin, which means the newest snapshot with it. 400 for rows that the snapshot does not hold.',
  example: '20261120T020000Z',
});

/** The headers of an answer as of a snapshot. A live answer lacks them. */
export const asOfHeaders = z.object({
  ...snapshotHeaderShapes,
  'x-snapshot-id': text('The id of the answered snapshot; absent from a live answer.').optional(),
  'content-location': text(
    'The address by the id of the snapshot, when the request named it by `latest` or a pin.',
  ).optional(),
});

export interface AskedSnapshot {
  readonly snapshot: ReadableSnapshot;
  /** True: the request named the id, so its answer never changes. */
  readonly byId: boolean;
}

/** The named snapshot. `held` is the snapshot of the request's cursor: `latest` and pins stay on it. */
export async function askedSnapshot(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  name: string,
  held: string | null = null,
): Promise<AskedSnapshot> {
  const byId = isSnapshotId(name);
  const id = byId ? name : held;
  const snapshot = await (id !== null
    ? pinned(parts, c, id)
    : name === 'latest'
      ? latest(parts, c)
      : newestPinned(parts, c, name));
  if (snapshot.quarantine === null) return { snapshot, byId };
  throw new CrossfootError('file_corrupt', `${snapshot.snapshot_id}: a scrub found damaged files.`, {
    hint: 'Restore the files from a copy, then run npx crossfoot scrub.',
    data: { snapshot: snapshot.snapshot_id },
  });
}

async function newestPinned(
  parts: ReportingParts,
  c: Context<ServeEnv>,
  name: string,
): Promise<ReadableSnapshot> {
  const listed = await parts.snapshots.list(accountOf(c));
  const found = listed.find(({ pins }) => pins.some((pin) => pin.name === name));
  if (found === undefined) throw new CrossfootError('not_found', NO_SNAPSHOT);
  return found;
}

/** Throws if samples are requested of a snapshot, which holds none. */
export function refuseSamples(query: Readonly<Record<string, unknown>>): void {
  if (query['include_sample'] !== true) return;
  throw new CrossfootError(
    'parameter_refused',
    'The parameter include_sample must be false with snapshot_id: a snapshot holds no sample initiatives.',
  );
}

/** The answer with the snapshot's id and moment. */
export function answerAsOf<Value extends JsonObject>(
  c: Context<ServeEnv>,
  parts: ReportingParts,
  { snapshot, byId }: AskedSnapshot,
  value: Value,
): Response & TypedResponse<Value, 200, 'json'> {
  const { snapshot_id: id, generated_at } = snapshot;
  const location = new URL(c.req.url);
  location.searchParams.set('snapshot_id', id);
  return answerJson(
    c,
    { ...value, snapshot_id: id, generated_at: formatInstant(generated_at) },
    {
      'cache-control': byId ? cachePinned(snapshot) : CACHE_LATEST,
      ...(!byId && { 'content-location': `${location.pathname}${location.search}` }),
      ...snapshotHeaders(parts, snapshot),
    },
  );
}
