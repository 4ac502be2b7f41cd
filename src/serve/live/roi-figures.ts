/** The figures of a scope (the portfolio or one initiative) in a window, for `/roi` and the assistant. */
import type { ClientBase } from 'pg';
import {
  countedDays,
  type RequestedWindow,
  windowOf,
  type WindowRequest,
} from '../../figures/requested-window.ts';
import { liveRoi } from '../../figures/roi.ts';
import { type Figures, openRollup, type Sums } from '../../figures/rollup.ts';
import { settleBeside, type Unsettled, type UnsettledSum } from '../../figures/unsettled.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import { readScopeSums } from '../../ledger/moment/entry-sums.ts';
import { requireExactLeftOut } from '../../ledger/moment/left-out.ts';
import { readUnsettledAmounts } from '../../ledger/moment/unsettled-amounts.ts';
import { portfolioOf, type PortfolioSums } from './portfolio-sums.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** The scope and window of the requested figures. */
export interface RoiQuestion extends Omit<EntryScope, 'days'> {
  readonly window: WindowRequest;
  /** The day that the figures describe, and the account's fiscal year. */
  readonly moment: FiscalMoment;
}

export interface RoiFigures extends Unsettled {
  readonly window: RequestedWindow;
  readonly figures: Figures;
  /** Null where cost is not above zero. */
  readonly roi: number | null;
}

/** Reads the figures. Call it in a transaction that sees one moment, so that all parts of an answer agree. */
export async function readRoiFigures(client: ClientBase, question: RoiQuestion): Promise<RoiFigures> {
  const scope = { ...question, days: countedDays(question.window, question.moment) };
  const sums = await readScopeSums(client, scope);
  return roiFiguresOf(question, sums, await readUnsettledAmounts(client, scope));
}

/** The same figures of a portfolio over all time, from the sums of its initiatives. */
export function portfolioFigures(
  question: Pick<RoiQuestion, 'moment' | 'window'>,
  portfolio: PortfolioSums,
): RoiFigures {
  const { sums, unsettled } = portfolioOf(portfolio);
  return roiFiguresOf({ ...question, initiative_id: null }, sums, unsettled);
}

/** The figures of a scope from its sums, which come from the ledger or from a snapshot. */
export function roiFiguresOf(
  { window: request, moment, initiative_id }: Pick<RoiQuestion, 'initiative_id' | 'moment' | 'window'>,
  entries: Iterable<Sums>,
  amounts: readonly UnsettledSum[],
): RoiFigures {
  const rollup = openRollup();
  for (const sums of entries) rollup.add(sums);
  const figures = rollup.figures();
  const unsettled = settleBeside(amounts);
  const window = windowOf(request, moment, rollup.latestDay());
  const subject = `${initiative_id === null ? 'portfolio' : `initiative ${initiative_id}`}, ${window.label}`;
  // The answer does not show the price effect, so it does not keep the answer back.
  const { vendor_price_effect_cents: _, ...shown } = figures;
  requireExactSums(() => subject, shown);
  requireExactSums(() => subject, unsettled);
  requireExactLeftOut(subject, unsettled);
  return {
    window,
    figures,
    roi: liveRoi(figures.cash_value_cents, figures.cost_cents),
    ...unsettled,
  };
}
