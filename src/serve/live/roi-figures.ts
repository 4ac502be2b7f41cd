/** The figures of a scope and a trailing window, for `/roi` and the assistant. */
import type { ClientBase } from 'pg';
import type { Day } from '../../figures/calendar.ts';
import { liveRoi } from '../../figures/roi.ts';
import { type Figures, openRollup } from '../../figures/rollup.ts';
import {
  TRAILING_WINDOWS,
  type TrailingKey,
  type TrailingWindow,
  trailingWindow,
} from '../../figures/trailing.ts';
import { settleBeside, type Unsettled } from '../../figures/unsettled.ts';
import type { EntryScope } from '../../ledger/moment/entry-scope.ts';
import { readScopeSums } from '../../ledger/moment/entry-sums.ts';
import { requireExactLeftOut } from '../../ledger/moment/left-out.ts';
import { readUnsettledAmounts } from '../../ledger/moment/unsettled-amounts.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** The scope and window of the requested figures. */
export interface RoiQuestion extends Omit<EntryScope, 'days'> {
  readonly window: TrailingKey;
  /** Today's date. */
  readonly today: Day;
}

export interface RoiFigures extends Unsettled {
  readonly window: TrailingWindow;
  readonly figures: Figures;
  /** Null where cost is not above zero. */
  readonly roi: number | null;
}

/** Reads the figures. Call it in a transaction that sees one moment, so that all parts of an answer agree. */
export async function readRoiFigures(
  client: ClientBase,
  { window: key, today, ...of }: RoiQuestion,
): Promise<RoiFigures> {
  const { from, through } = trailingWindow(key, today, null);
  const scope = { ...of, days: from === null ? null : { from, through } };
  const rollup = openRollup();
  for (const sums of await readScopeSums(client, scope)) rollup.add(sums);
  const figures = rollup.figures();
  const unsettled = settleBeside(await readUnsettledAmounts(client, scope));
  const { label } = TRAILING_WINDOWS[key];
  const subject = `${of.initiativeId === null ? 'portfolio' : `initiative ${of.initiativeId}`}, ${label}`;
  requireExactSums(() => subject, figures);
  requireExactSums(() => subject, unsettled);
  requireExactLeftOut(subject, unsettled);
  return {
    window: trailingWindow(key, today, rollup.latestDay()),
    figures,
    roi: liveRoi(figures.cash_value_cents, figures.cost_cents),
    ...unsettled,
  };
}
