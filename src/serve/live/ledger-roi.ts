/** The figures of `/roi` from the ledger: its cache of answers, and the same figures for the assistant. */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { countedDays } from '../../figures/requested-window.ts';
import { readFiscalYearStart } from '../../ledger/accounts.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { changedSince, readSeen } from '../../ledger/lists/account-changes.ts';
import { requireInitiative } from '../../ledger/lists/require-initiative.ts';
import { type FigureParts, inFigureMoment } from './figure-moment.ts';
import { FigureCache } from './figure-cache.ts';
import {
  createPortfolioCache,
  type PortfolioCache,
  type PortfolioSums,
  readPortfolioSums,
} from './portfolio-sums.ts';
import { portfolioFigures, readRoiFigures } from './roi-figures.ts';
import { showRoi } from './roi-shape.ts';
import type { RoiAnswer, RoiQuery } from './source.ts';

// All time of 1.7 million entries takes 1.5 seconds of two processors.
const TIMEOUT_MS = 20_000;

/** Proof of a cached answer: it is valid on this day and for this fiscal year, while no row of the account changes. */
interface RoiProof {
  readonly today: Day;
  readonly fiscal_year_start_month: number;
  /** The version of the account's rows that the transaction saw. */
  readonly seen: string;
}

export interface RoiParts extends FigureParts {
  readonly roiCache: FigureCache<RoiAnswer, RoiProof>;
  readonly portfolioCache: PortfolioCache;
}

/** The caches of one serving process: of answers, and of the sums behind the answers of portfolios. */
export function createRoiCaches(): Pick<RoiParts, 'portfolioCache' | 'roiCache'> {
  return { roiCache: new FigureCache(), portfolioCache: createPortfolioCache() };
}

/** The requested figures, computed at one moment of the ledger, or from the cache if nothing has changed since. */
export async function answerRoi(parts: RoiParts, account_id: bigint, parsed: RoiQuery): Promise<RoiAnswer> {
  const session = { account_id, timeout_ms: TIMEOUT_MS };
  return await parts.roiCache.answer(
    JSON.stringify([String(account_id), parsed.window, String(parsed.initiative_id), parsed.include_sample]),
    {
      stands: ({ today, fiscal_year_start_month, seen }) =>
        parts.inAccount(session, async (client) => {
          if ((await parts.readToday(client)) !== today) return false;
          if ((await readFiscalYearStart(client, account_id)) !== fiscal_year_start_month) return false;
          return !(await changedSince(client, account_id, seen));
        }),
      workOut: () => {
        // Take the cached sums before the transaction begins: the transaction then sees every change that they include.
        const before = parts.portfolioCache.peek(portfolioKey(account_id, parsed));
        return inFigureMoment(parts, session, async (client, today) => {
          const seen = await readSeen(client);
          const fiscal_year_start_month = await readFiscalYearStart(client, account_id);
          const question = { ...parsed, account_id, moment: { as_of: today, fiscal_year_start_month } };
          const portfolio = await readPortfolio(client, parts, { question, seen, before });
          const answer =
            portfolio === null
              ? await readRoi(client, question)
              : showRoi(portfolioFigures(question, portfolio), null);
          return { answer, proof: { today, fiscal_year_start_month, seen } };
        });
      },
    },
  );
}

type RoiMoment = RoiQuery & { readonly account_id: bigint; readonly moment: FiscalMoment };

const portfolioKey = (account_id: bigint, roiQuery: RoiQuery): string =>
  `${account_id} ${roiQuery.include_sample}`;

/** The sums of all initiatives, which are cached for the next request; null for another scope or window. */
async function readPortfolio(
  client: ClientBase,
  { portfolioCache }: RoiParts,
  {
    question,
    seen,
    before,
  }: { readonly question: RoiMoment; readonly seen: string; readonly before: PortfolioSums | undefined },
): Promise<PortfolioSums | null> {
  const { account_id, include_sample: sample, initiative_id: id, moment, window } = question;
  if (id !== undefined || countedDays(window, moment) !== null) return null;
  const asked = { scope: { account_id, include_sample: sample }, seen, today: moment.as_of };
  const sums = await readPortfolioSums(client, asked, before);
  if (sums !== null) await portfolioCache.renew(portfolioKey(account_id, question), async () => sums);
  return sums;
}

/** The requested figures, computed in the caller's transaction. */
export async function readRoi(client: ClientBase, question: RoiMoment): Promise<RoiAnswer> {
  const { account_id, initiative_id: id, include_sample } = question;
  const initiative =
    id === undefined ? null : await requireInitiative(client, account_id, { id, include_sample });
  return showRoi(await readRoiFigures(client, { ...question, initiative_id: id ?? null }), initiative);
}
