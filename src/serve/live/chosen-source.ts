/** Chooses the source of an answer: only here a request is live or as of a snapshot. */
import type { Context, TypedResponse } from 'hono';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import {
  answerAsOf,
  askedSnapshot,
  type AsOfParts,
  heldBackFrom,
  snapshotRequest,
} from './asked-snapshot.ts';
import { type LedgerParts, ledgerSource } from './ledger-source.ts';
import { answerLive, type JsonObject } from './live-answer.ts';
import { snapshotFiles } from './snapshot-files.ts';
import { type SnapshotParts, snapshotSource } from './snapshot-source.ts';
import type { Source } from './source.ts';
import type { Cursors } from '../contract/cursor.ts';
import type { Instant } from '../../instant.ts';

/** What both sources read. */
export interface SourceParts extends LedgerParts, SnapshotParts {
  readonly snapshots: SnapshotReader;
}

/** What the routes that answer live and as of a snapshot need. */
export interface AnswerParts extends AsOfParts, SourceParts {
  readonly cursors: Cursors;
}

interface Chosen {
  readonly source: Source;
  readonly answer: <Value extends JsonObject>(value: Value) => Response & TypedResponse<Value, 200, 'json'>;
}

/** The ledger now, or the snapshot; pages of its lists leave out rows changed at `horizon` or later, if that is given. */
export function sourceOf(
  parts: SourceParts,
  account_id: bigint,
  snapshot: ReadableSnapshot | undefined,
  horizon?: Instant,
): Source {
  if (snapshot === undefined) return ledgerSource(parts, account_id);
  return snapshotSource(parts, snapshotFiles(parts.snapshots, account_id, snapshot), horizon);
}

/** The source that the query asks for. For a list, `held` gives the snapshot of the request's cursor. */
export async function chooseSource(
  parts: AnswerParts,
  c: Context<ServeEnv>,
  query: Parameters<typeof snapshotRequest>[1],
  held?: () => string | undefined,
): Promise<Chosen> {
  const request = snapshotRequest(parts, query);
  const found = request && (await askedSnapshot(parts, c, request, held?.()));
  const horizon = held && found ? heldBackFrom(found) : undefined;
  return {
    source: sourceOf(parts, c.var.principal.account_id, found?.snapshot, horizon),
    answer: (value) =>
      found ? answerAsOf(c, parts, found, value, horizon !== undefined) : answerLive(c, value),
  };
}
