/** The counts of a snapshot's companion tables. They count drafts too, so only a personal token reads them. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { sendStatic, staticResponse } from '../http/static-response.ts';
import {
  ABSENT,
  requireSnapshot,
  addressHeaders,
  type ReportingParts,
  snapshot_id,
  snapshotHeaderShapes,
} from '../reporting/chosen-snapshot.ts';
import { COMPANION_SET } from '../../tables/companions.ts';
import { integer, text } from '../contract/shapes.ts';

const NO_COMPANIONS = 'This snapshot has no companion tables.';

const counts = z
  .looseObject({
    snapshot_id: text('The snapshot.'),
    tables: z
      .array(
        z.looseObject({
          name: text('The companion table: `api_` and the list, `api_budget_spend` or `api_usage_sums`.'),
          row_count: integer('Its rows.'),
        }),
      )
      .meta({ description: 'Each companion table.' }),
    checks: z.array(z.looseObject({})).meta({ description: 'Each check of their audit, with its result.' }),
  })
  .meta({ id: 'CompanionCounts', description: 'The companion tables of a snapshot and their audit.' });

/** The counts and the audit of the companion tables. */
export const companionCounts = defineRoute(
  {
    path: '/snapshots/{snapshot_id}/companions',
    operationId: 'get_companion_counts',
    summary: 'The rows of each companion table of a snapshot, and their audit; by id it never changes.',
    tags: ['Records'],
    request: { params: z.object({ snapshot_id }) },
    responses: {
      200: {
        description: 'The file, as it is stored: every byte was checked against the manifest.',
        headers: z.object(snapshotHeaderShapes),
        content: { 'application/json': { schema: counts } },
      },
      404: notFound(`${ABSENT.snapshot} Also when it has no companion tables.`, NO_COMPANIONS),
    },
  },
  (parts: ReportingParts) => async (c) => {
    const snapshot = await requireSnapshot(parts, c, c.req.valid('param').snapshot_id);
    if (snapshot.companions === undefined) throw new CrossfootError('not_found', NO_COMPANIONS);
    const { account_id } = c.var.principal;
    const bytes = await parts.snapshots.readReport(account_id, snapshot.snapshot_id, COMPANION_SET);
    const headers = await addressHeaders(parts, c, snapshot);
    return sendStatic(c, staticResponse(bytes, 'application/json'), headers);
  },
);
