/** Serves a file stored beside the tables of a snapshot. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { servedFiles } from '../../snapshot/format/manifest.ts';
import { SIGNATURE_FILES } from '../../snapshot/format/signature-files.ts';
import type { SignedReader } from '../../snapshot/read/signed-reader.ts';
import { DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { FOOTERS_FILE } from '../../snapshot/format/stored-footers.ts';
import { FILE_SETS } from '../../tables/file-sets.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import { text } from '../contract/shapes.ts';
import {
  ABSENT,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';

export interface FileParts extends ReportingParts {
  readonly signatures: SignedReader;
}

/** All files that a build writes beside its tables; older snapshots may lack some. */
const FILES = ['audit.sql', 'control.json', DIGESTS_FILE, FOOTERS_FILE, 'schema.json']
  .concat(FILE_SETS.filter(({ served }) => served).map(({ report }) => report))
  .toSorted();

const TOO_OLD = 'This snapshot was built before it had this file.';

const name = text('The name of a file in the manifest.').openapi({
  param: { example: 'audit.json' },
});

/** The files that prove a snapshot: the manifest as it is stored, its log entry, and the signatures. */
const PROOFS = ['manifest.json', 'log-entry.json', ...SIGNATURE_FILES];

const TYPES: readonly (readonly [string, string])[] = [
  ['.sql', 'application/sql'],
  ['.sig', 'text/plain; charset=utf-8'],
  ['.ed25519', 'application/octet-stream'],
];

/** A file of one snapshot. */
export const snapshotFile = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/files/{name}',
    operationId: 'get_snapshot_file',
    summary:
      'A file beside the tables, such as the audit report or the control totals; by id it never changes.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id, name }) },
    responses: {
      200: {
        description: 'The file, as it is stored: every byte was checked against the manifest or the log.',
        headers: z.object(snapshotHeaderShapes),
        content: {
          'application/json': {
            schema: z.looseObject({}).meta({
              description:
                '`audit.json`: every check with its result. `control.json`: the sums of the ledger itself. `digests.json`: the rows, sums, empty values, minimum and maximum of each table. `footers.json`: the numbers of the Parquet footers, each compared with the digests. `focus.json`: the columns and the audit of the FOCUS file. `schema.json`: the declarations of the tables. `manifest.json`: the manifest that is signed. `log-entry.json`: the entry of the publish log. `audit.dsse.json`: the audit as a signed statement.',
            }),
          },
          'application/sql': {
            schema: z
              .string()
              .meta({ description: '`audit.sql`: the audit, to run in the folder of the files.' }),
          },
          'text/plain': {
            schema: z.string().meta({
              description: '`manifest.json.sig`: the signature that `ssh-keygen -Y verify` checks.',
            }),
          },
          'application/octet-stream': {
            schema: z.string().meta({
              description:
                '`manifest.json.ed25519`: the 64 bytes that `openssl pkeyutl -verify -rawin` checks.',
            }),
          },
        },
      },
      404: notFound(`${ABSENT.snapshot} Also when the snapshot has no such file.`, TOO_OLD),
    },
  },
  (parts: FileParts) => async (c) => {
    const parameters = c.req.valid('param');
    const snapshot = await requireSnapshot(parts, c, parameters.snapshot_id);
    const { account_id } = c.var.principal;
    const { name: file } = parameters;
    const proof = await readProof(parts, account_id, snapshot.snapshot_id, file);
    const bytes = proof ?? (await readFile(parts, account_id, snapshot, file));
    const type = TYPES.find(([suffix]) => parameters.name.endsWith(suffix))?.[1] ?? 'application/json';
    const headers = await addressHeaders(parts, c, snapshot);
    return sendStatic(c, staticResponse(bytes, type), headers);
  },
);

/** The bytes of a file beside the tables; throws 404 if the snapshot has no such file. */
export async function readFile(
  { snapshots }: ReportingParts,
  account_id: bigint,
  snapshot: ReadableSnapshot,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (servedFiles(snapshot).some((each) => each.name === file))
    return await snapshots.readFile(account_id, snapshot.snapshot_id, file);
  throw new CrossfootError(
    'not_found',
    FILES.includes(file)
      ? TOO_OLD
      : `There is no such file; a snapshot has ${[...FILES, ...PROOFS].join(', ')}.`,
  );
}

async function readProof(
  { signatures }: FileParts,
  account_id: bigint,
  snapshot: string,
  file: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const signature = SIGNATURE_FILES.find((each) => each === file);
  if (signature !== undefined)
    return Buffer.from(await signatures.signature(account_id, snapshot, signature));
  if (file === 'manifest.json') return Buffer.from(await signatures.manifest(account_id, snapshot));
  return file === 'log-entry.json' ? Buffer.from(await signatures.entryOf(account_id, snapshot)) : null;
}
