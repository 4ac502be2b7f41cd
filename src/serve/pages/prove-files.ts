/** What the page that proves a snapshot loads: the snapshot's files as they are stored, and the publish log. */
import type { Context } from 'hono';
import { CrossfootError } from '../../errors.ts';
import type { SignedReader } from '../../snapshot/read/signed-reader.ts';
import type { ServeEnv } from '../auth/authenticate.ts';
import { BufferedResponse } from '../http/buffered-response.ts';
import { defineAddress } from '../frame/define-page.ts';
import { accountOf, type ReportingParts, requireSnapshot } from '../reporting/chosen-snapshot.ts';

export interface ProofParts extends ReportingParts {
  readonly signatures: SignedReader;
}

/** The maximum number of entries of the publish log in one answer. */
const LOG_PAGE = 100;
const SEQ = /^[1-9]\d{0,9}$/;

export const provedFile = defineAddress({
  path: '/snapshots/{snapshot_id}/prove/files/{name}',
  query: [],
  says: 'A file of the snapshot, for that page.',
  answer:
    (parts: ProofParts) =>
    ({ c, named }) =>
      answerFile(c, parts, named.snapshot_id, named.name),
});

export const provedLog = defineAddress({
  path: '/snapshots/{snapshot_id}/prove/log/{from}',
  query: [],
  says: 'Entries of the publish log, for that page.',
  answer:
    (parts: ProofParts) =>
    async ({ c, named: { snapshot_id, from } }) => {
      if (!SEQ.test(from))
        throw new CrossfootError('not_found', 'Entries of the publish log have whole numbers from 1.');
      const snapshot = await requireSnapshot(parts, c, snapshot_id);
      const range = { from: Number(from), most: LOG_PAGE };
      const entries = await parts.signatures.entriesTo(accountOf(c), snapshot.snapshot_id, range);
      return answerBytes(
        Buffer.concat(entries.flatMap((entry) => [entry, Buffer.from('\n')])),
        'application/x-ndjson',
      );
    },
});

/** A file of the snapshot, byte for byte as it is stored. */
async function answerFile(
  c: Context<ServeEnv>,
  parts: ProofParts,
  asked: string,
  name: string,
): Promise<Response> {
  const { snapshots, signatures } = parts;
  const snapshot = await requireSnapshot(parts, c, asked);
  const { snapshot_id } = snapshot;
  const account_id = accountOf(c);
  if (name === 'manifest.json')
    return answerBytes(await signatures.manifest(account_id, snapshot_id), 'application/json');
  if (name === 'manifest.json.sig') {
    return answerBytes(
      await signatures.signature(account_id, snapshot_id, name),
      'text/plain; charset=utf-8',
    );
  }
  const table = snapshot.tables.find((each) => `${each.name}.parquet` === name);
  if (table !== undefined) {
    const bytes = await snapshots.openTable(account_id, snapshot_id, table.name);
    const headers = {
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(table.size_bytes),
    };
    return bytes instanceof Uint8Array
      ? new BufferedResponse(bytes, { headers })
      : new Response(bytes, { headers });
  }
  if (!snapshot.files.some((each) => each.name === name)) {
    throw new CrossfootError('not_found', 'This snapshot has no such file.');
  }
  return answerBytes(await snapshots.readFile(account_id, snapshot_id, name), 'application/octet-stream');
}

function answerBytes(bytes: Uint8Array, type: string): Response {
  const body = new Uint8Array(bytes);
  return new BufferedResponse(body, {
    headers: { 'content-type': type, 'content-length': String(body.length) },
  });
}
