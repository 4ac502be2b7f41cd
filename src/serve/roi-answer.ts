/** How `/roi` is answered. */
import type { z } from '@hono/zod-openapi';
import { demandInitiative } from '../ledger/seen-initiative.ts';
import type { RoiQuery } from './contract/roi.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { readRoiFigures } from './roi-figures.ts';
import { type roiFigures, showRoi } from './roi-shape.ts';

// All time of 1.76 million entries took three seconds of one processor, and the server may use several.
const TIMEOUT_MS = 20_000;

/** Works out the figures that were asked for, in one moment of the ledger. */
export async function answerRoi(
  parts: FigureParts,
  accountId: bigint,
  { window, initiative_id, include_sample }: RoiQuery,
): Promise<z.output<typeof roiFigures>> {
  return await inFigureMoment(parts, { accountId, timeout_ms: TIMEOUT_MS }, async (client, today) => {
    const initiative =
      initiative_id === undefined
        ? null
        : await demandInitiative(client, accountId, { id: initiative_id, include_sample });
    const initiativeId = initiative?.id ?? null;
    const asked = { accountId, initiativeId, includeSample: include_sample, window, today };
    return showRoi(await readRoiFigures(client, asked), initiative);
  });
}
