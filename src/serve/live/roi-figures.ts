/** The figures of a scope and a trailing window, as `/roi` and the assistant state them. */
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

/** Which figures are asked for. */
export interface RoiQuestion extends Omit<EntryScope, 'days'> {
  readonly window: TrailingKey;
  /** The day it is. */
  readonly today: Day;
}

export interface RoiFigures extends Unsettled {
  readonly window: TrailingWindow;
  readonly figures: Figures;
  /** Null where cost is not above zero. */
  readonly roi: number | null;
}

/** Reads the figures in the caller's transaction, which sees one moment, so that what is said beside them agrees. */
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
  const place = `${of.initiativeId === null ? 'portfolio' : `initiative ${of.initiativeId}`}, ${label}`;
  requireExactSums(() => place, figures);
  requireExactSums(() => place, unsettled);
  requireExactLeftOut(place, unsettled);
  return {
    window: trailingWindow(key, today, rollup.latestDay()),
    figures,
    roi: liveRoi(figures.cash_value_cents, figures.cost_cents),
    ...unsettled,
  };
}
