/** Chooses the source of an answer of the API: only here a request is live or as of a snapshot. */
import type { Context, TypedResponse } from 'hono';
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

/** What the routes that answer live and as of a snapshot need. */
export interface AnswerParts extends AsOfParts, LedgerParts, SnapshotParts {
  readonly cursors: Cursors;
}

interface Chosen {
  readonly source: Source;
  readonly answer: <Value extends JsonObject>(value: Value) => Response & TypedResponse<Value, 200, 'json'>;
}

/** The source that the query asks for. For a list, `held` gives the snapshot of the request's cursor. */
export async function chooseSource(
  parts: AnswerParts,
  c: Context<ServeEnv>,
  query: Parameters<typeof snapshotRequest>[1],
  held?: () => string | undefined,
): Promise<Chosen> {
  const { account_id } = c.var.principal;
  const request = snapshotRequest(parts, query);
  if (request === null)
    return { source: ledgerSource(parts, account_id), answer: (value) => answerLive(c, value) };
  const found = await askedSnapshot(parts, c, request, held?.());
  const files = snapshotFiles(parts.snapshots, account_id, found.snapshot);
  const horizon = held === undefined ? undefined : heldBackFrom(found);
  return {
    source: snapshotSource(parts, files, horizon),
    answer: (value) => answerAsOf(c, parts, found, value, horizon !== undefined),
  };
}
