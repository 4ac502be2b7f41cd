/** How `/roi` is answered, and the assistant when it is asked the same. */
import type { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../figures/calendar.ts';
import { demandInitiative, type SeenInitiative } from '../ledger/seen-initiative.ts';
import type { RoiQuery } from './contract/roi.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { type RoiFigures, readRoiFigures } from './roi-figures.ts';
import { type roiFigures, showRoi } from './roi-shape.ts';

// All time of 1.76 million entries took three seconds of one processor, and the server may use several.
const TIMEOUT_MS = 20_000;

/** Works out the figures that were asked for, in one moment of the ledger. */
export async function answerRoi(
  parts: FigureParts,
  accountId: bigint,
  query: RoiQuery,
): Promise<z.output<typeof roiFigures>> {
  return await inFigureMoment(parts, { accountId, timeout_ms: TIMEOUT_MS }, async (client, today) => {
    const { figures, initiative } = await readRoi(client, { ...query, accountId, today });
    return showRoi(figures, initiative);
  });
}

/** Reads the figures in the caller's transaction, and the initiative they are of; null: the portfolio. */
export async function readRoi(
  client: ClientBase,
  { accountId, today, window, initiative_id, include_sample }: RoiQuery & { accountId: bigint; today: Day },
): Promise<{ readonly figures: RoiFigures; readonly initiative: SeenInitiative | null }> {
  const initiative =
    initiative_id === undefined
      ? null
      : await demandInitiative(client, accountId, { id: initiative_id, include_sample });
  const asked = {
    accountId,
    initiativeId: initiative?.id ?? null,
    includeSample: include_sample,
    window,
    today,
  };
  return { figures: await readRoiFigures(client, asked), initiative };
}
