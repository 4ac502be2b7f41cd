/** Serves a file stored beside the tables of a snapshot. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import { text } from '../live/shapes.ts';
import {
  ABSENT,
  pinned,
  type ReportingParts,
  snapshot_id,
  snapshotHeaders,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { cachePinned } from './table-file.ts';

/** All files that a build writes beside its tables; older snapshots may lack some. */
const FILES = ['audit.json', 'audit.sql', 'control.json', DIGESTS_FILE, 'schema.json'];

const TOO_OLD = 'This snapshot was built before it had this file.';

const name = text('The name of a file in the manifest.').openapi({
  param: { example: 'audit.json' },
});

/** A file of one snapshot. */
export const snapshotFile = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/files/{name}',
    operationId: 'get_snapshot_file',
    summary: 'A file beside the tables, such as the audit report or the control totals; it never changes.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id, name }) },
    responses: {
      200: {
        description: 'The file; it matches the digest in the manifest.',
        headers: z.object(snapshotHeaderShapes),
        content: {
          'application/json': {
            schema: z.looseObject({}).meta({
              description:
                '`audit.json`: every check with its result. `control.json`: the sums of the ledger itself. `digests.json`: the rows, sums, empty values, minimum and maximum of each table. `schema.json`: the declarations of the tables.',
            }),
          },
          'application/sql': {
            schema: z
              .string()
              .meta({ description: '`audit.sql`: the audit, to run in the folder of the files.' }),
          },
        },
      },
      404: notFound(`${ABSENT.snapshot} Also when the snapshot has no such file.`, TOO_OLD),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const parameters = c.req.valid('param');
    const snapshot = await pinned(parts, c, parameters.snapshot_id);
    const bytes = await readFile(parts, c.var.principal.account_id, snapshot, parameters.name);
    const type = parameters.name.endsWith('.sql') ? 'application/sql' : 'application/json';
    const headers = { 'cache-control': cachePinned(snapshot), ...snapshotHeaders(parts, snapshot) };
    return sendStatic(c, staticResponse(bytes, type), headers);
  },
);

/** The bytes of a file beside the tables; throws 404 if the snapshot has no such file. */
export async function readFile(
  { snapshots }: ReportingParts,
  account_id: bigint,
  { snapshot_id: id, files }: ReadableSnapshot,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (files.some((each) => each.name === file)) return await snapshots.readFile(account_id, id, file);
  throw new CrossfootError(
    'not_found',
    FILES.includes(file) ? TOO_OLD : `There is no such file; a snapshot has ${FILES.join(', ')}.`,
  );
}
