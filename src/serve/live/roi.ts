/** `/roi`: its contract, its figures kept while they stand, and how the assistant reads the same. */
import { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { TRAILING_WINDOWS, type TrailingKey } from '../../figures/trailing.ts';
import { changedSince, readSeen } from '../../ledger/lists/account-changes.ts';
import { requireInitiative, type SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import { defineRoute } from '../contract/define-route.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { KeptFigures } from './kept-figures.ts';
import { answerLive } from './live-answer.ts';
import { include_sample, initiative_id, oneOf } from './queries.ts';
import { NO_INITIATIVE } from './records.ts';
import { type RoiFigures, readRoiFigures } from './roi-figures.ts';
import { roiFigures, showRoi } from './roi-shape.ts';

// The keys of a constant: there are no others.
const WINDOWS = Object.keys(TRAILING_WINDOWS) as TrailingKey[];

const query = z.strictObject({
  window: oneOf(WINDOWS, 'The window: the years that end today, or all time.')
    .default('all')
    .openapi({ default: 'all' }),
  initiative_id: initiative_id.openapi({
    description: 'The figures of that initiative; 404 when this account has none of that id.',
  }),
  include_sample,
});

type RoiQuery = z.output<typeof query>;

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

/** The figures of the portfolio or of one initiative. */
export const roi = defineRoute(
  {
    path: '/roi',
    operationId: 'get_roi',
    summary: 'Value, cost and return of the portfolio or of one initiative.',
    tags: ['Figures'],
    request: { query },
    responses: {
      200: { description: 'The figures.', content: { 'application/json': { schema: roiFigures } } },
      404: NO_INITIATIVE,
    },
  },
  (parts: RoiParts) => async (c) =>
    answerLive(c, await answerRoi(parts, c.var.principal.account_id, c.req.valid('query'))),
);

/** The figures that were asked for, worked out in one moment of the ledger, or kept from one since which nothing changed. */
export async function answerRoi(parts: RoiParts, account_id: bigint, asked: RoiQuery): Promise<RoiAnswer> {
  const session = { account_id, timeout_ms: TIMEOUT_MS };
  return await parts.keptRoi.answer(
    JSON.stringify([String(account_id), asked.window, String(asked.initiative_id), asked.include_sample]),
    {
      stands: ({ today, seen }) =>
        parts.inAccount(session, async (client) => {
          if ((await parts.readToday(client)) !== today) return false;
          return !(await changedSince(client, account_id, seen));
        }),
      workOut: () =>
        inFigureMoment(parts, session, async (client, today) => {
          const seen = await readSeen(client);
          const { figures, initiative } = await readRoi(client, { ...asked, account_id, today });
          return { answer: showRoi(figures, initiative), proof: { today, seen } };
        }),
    },
  );
}

/** Reads the figures in the caller's transaction, and the initiative they are of; null: the portfolio. */
export async function readRoi(
  client: ClientBase,
  asked: RoiQuery & { readonly account_id: bigint; readonly today: Day },
): Promise<{ readonly figures: RoiFigures; readonly initiative: SeenInitiative | null }> {
  const { account_id, today, window, initiative_id: id, include_sample: includeSample } = asked;
  const initiative =
    id === undefined
      ? null
      : await requireInitiative(client, account_id, { id, include_sample: includeSample });
  const question = { account_id, initiativeId: initiative?.id ?? null, includeSample, window, today };
  return { figures: await readRoiFigures(client, question), initiative };
}
