/** `/roi`: its contract, its cache of figures, and the same figures for the assistant. */
import { z } from '@hono/zod-openapi';
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { TRAILING_WINDOWS, type TrailingKey } from '../../figures/trailing.ts';
import { changedSince, readSeen } from '../../ledger/lists/account-changes.ts';
import { requireInitiative, type SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import { defineRoute } from '../contract/define-route.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { FigureCache } from './figure-cache.ts';
import { answerLive } from './live-answer.ts';
import { include_sample, initiative_id, oneOf } from './queries.ts';
import { NO_INITIATIVE } from './records.ts';
import { type RoiFigures, readRoiFigures } from './roi-figures.ts';
import { roiFigures, showRoi } from './roi-shape.ts';

// The cast is safe: the object is a constant.
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

// All time of 1.7 million entries takes 1.5 seconds of two processors.
const TIMEOUT_MS = 20_000;

type RoiAnswer = z.output<typeof roiFigures>;

/** Proof of a cached answer: it is valid on this day, while no row of the account changes. */
interface RoiProof {
  readonly today: Day;
  /** The version of the account's rows that the transaction saw. */
  readonly seen: string;
}

export interface RoiParts extends FigureParts {
  readonly roiCache: FigureCache<RoiAnswer, RoiProof>;
}

/** The cache of one serving process. */
export function createRoiCache(): RoiParts['roiCache'] {
  return new FigureCache();
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

/** The requested figures, computed at one moment of the ledger, or from the cache if nothing has changed since. */
export async function answerRoi(parts: RoiParts, account_id: bigint, parsed: RoiQuery): Promise<RoiAnswer> {
  const session = { account_id, timeout_ms: TIMEOUT_MS };
  return await parts.roiCache.answer(
    JSON.stringify([String(account_id), parsed.window, String(parsed.initiative_id), parsed.include_sample]),
    {
      stands: ({ today, seen }) =>
        parts.inAccount(session, async (client) => {
          if ((await parts.readToday(client)) !== today) return false;
          return !(await changedSince(client, account_id, seen));
        }),
      workOut: () =>
        inFigureMoment(parts, session, async (client, today) => {
          const seen = await readSeen(client);
          const { figures, initiative } = await readRoi(client, { ...parsed, account_id, today });
          return { answer: showRoi(figures, initiative), proof: { today, seen } };
        }),
    },
  );
}

/** Reads the figures and their initiative (null: the portfolio) in the caller's transaction. */
export async function readRoi(
  client: ClientBase,
  parsed: RoiQuery & { readonly account_id: bigint; readonly today: Day },
): Promise<{ readonly figures: RoiFigures; readonly initiative: SeenInitiative | null }> {
  const { account_id, today, window, initiative_id: id, include_sample: includeSample } = parsed;
  const initiative =
    id === undefined
      ? null
      : await requireInitiative(client, account_id, { id, include_sample: includeSample });
  const question = { account_id, initiativeId: initiative?.id ?? null, includeSample, window, today };
  return { figures: await readRoiFigures(client, question), initiative };
}
