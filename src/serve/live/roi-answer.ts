/** How `/roi` is answered, and the assistant when it is asked the same. */
import type { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { changedSince, readSeen } from '../../ledger/lists/account-changes.ts';
import { requireInitiative, type SeenInitiative } from '../../ledger/lists/seen-initiative.ts';
import type { RoiQuery } from '../contract/roi.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { KeptFigures } from './kept-figures.ts';
import { type RoiFigures, readRoiFigures } from './roi-figures.ts';
import { type roiFigures, showRoi } from './roi-shape.ts';

// All time of 1.7 million entries takes one and a half seconds of two processors.
const TIMEOUT_MS = 20_000;

type RoiAnswer = z.output<typeof roiFigures>;

/** What the figures were worked out from: they stand on this day, while nothing of the account changes. */
interface RoiProof {
  readonly today: Day;
  /** What their transaction saw. */
  readonly seen: string;
}

export interface RoiParts extends FigureParts {
  readonly keptRoi: KeptFigures<RoiAnswer, RoiProof>;
}

/** For the answers of one serving process. */
export function keepRoi(): RoiParts['keptRoi'] {
  return new KeptFigures();
}

/** The figures that were asked for, worked out in one moment of the ledger, or kept from one since which nothing changed. */
export async function answerRoi(parts: RoiParts, account_id: bigint, query: RoiQuery): Promise<RoiAnswer> {
  const session = { account_id, timeout_ms: TIMEOUT_MS };
  const { window, initiative_id, include_sample } = query;
  return await parts.keptRoi.answer(
    JSON.stringify([String(account_id), window, String(initiative_id), include_sample]),
    {
      stands: ({ today, seen }) =>
        parts.inAccount(session, async (client) => {
          if ((await parts.readToday(client)) !== today) return false;
          return !(await changedSince(client, account_id, seen));
        }),
      workOut: () =>
        inFigureMoment(parts, session, async (client, today) => {
          const seen = await readSeen(client);
          const { figures, initiative } = await readRoi(client, { ...query, account_id, today });
          return { answer: showRoi(figures, initiative), proof: { today, seen } };
        }),
    },
  );
}

/** Reads the figures in the caller's transaction, and the initiative they are of; null: the portfolio. */
export async function readRoi(
  client: ClientBase,
  { account_id, today, window, initiative_id, include_sample }: RoiQuery & { account_id: bigint; today: Day },
): Promise<{ readonly figures: RoiFigures; readonly initiative: SeenInitiative | null }> {
  const initiative =
    initiative_id === undefined
      ? null
      : await requireInitiative(client, account_id, { id: initiative_id, include_sample });
  const asked = {
    account_id,
    initiativeId: initiative?.id ?? null,
    includeSample: include_sample,
    window,
    today,
  };
  return { figures: await readRoiFigures(client, asked), initiative };
}
