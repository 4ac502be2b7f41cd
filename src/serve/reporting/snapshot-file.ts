/** A file that stands beside the tables of a snapshot. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { DIGESTS_FILE } from '../../snapshot/format/stored-digests.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerKept, keep } from '../http/kept-answer.ts';
import { text } from '../live/shapes.ts';
import {
  ABSENT,
  pinned,
  type ReportingParts,
  snapshot_id,
  snapshotHeaders,
  snapshotHeaderShapes,
} from './chosen-snapshot.ts';
import { CACHE_PINNED } from './table-file.ts';

/** What a build has written beside its tables since the day it first wrote each. */
const FILES = ['audit.json', 'audit.sql', 'control.json', DIGESTS_FILE, 'schema.json'];

const TOO_OLD = 'This snapshot was built before it had this file.';

const name = text('The name of a file, as the manifest has it.').openapi({
  param: { example: 'audit.json' },
});

/** A file of one snapshot. */
export const snapshotFile = defineRoute(
  {
    path: '/reporting/snapshots/{snapshot_id}/files/{name}',
    operationId: 'get_snapshot_file',
    summary:
      'What stands beside the tables: how they were audited, and what they add up to; it never changes.',
    tags: ['Reporting'],
    request: { params: z.object({ snapshot_id, name }) },
    responses: {
      200: {
        description: 'The file, held to the digest of the manifest.',
        headers: z.object(snapshotHeaderShapes),
        content: {
          'application/json': {
            schema: z.looseObject({}).meta({
              description:
                '`audit.json`: every check with what it found. `control.json`: the sums of the ledger itself. `digests.json`: rows, sums, empty values and ends of each table. `schema.json`: the declarations.',
            }),
          },
          'application/sql': {
            schema: z.string().meta({ description: '`audit.sql`: the audit, to be run beside the files.' }),
          },
        },
      },
      404: notFound(`${ABSENT.snapshot} Also when the snapshot has no such file.`, TOO_OLD),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const asked = c.req.valid('param');
    const snapshot = await pinned(parts, c, asked.snapshot_id);
    const bytes = await readFile(parts, c.var.principal.account_id, snapshot, asked.name);
    const type = asked.name.endsWith('.sql') ? 'application/sql' : 'application/json';
    const headers = { 'cache-control': CACHE_PINNED, ...snapshotHeaders(parts, snapshot) };
    return answerKept(c, keep(bytes, type), headers);
  },
);

/** The bytes of a file beside the tables; refused when the snapshot has none of that name. */
export async function readFile(
  { snapshots }: ReportingParts,
  account_id: bigint,
  { snapshot_id: id, files }: ReadableSnapshot,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (files.some((each) => each.name === file)) return await snapshots.readFile(account_id, id, file);
  throw new CrossfootError(
    'not_found',
    FILES.includes(file)
      ? TOO_OLD
      : `There is no such file beside a snapshot; there are ${FILES.join(', ')}.`,
  );
}
