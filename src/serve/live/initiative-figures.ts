/** The figures of every initiative in one window, so that initiatives can be compared. */
import type { ClientBase } from 'pg';
import {
  countedDays,
  type RequestedWindow,
  windowOf,
  type WindowRequest,
} from '../../figures/requested-window.ts';
import { liveRoi, roiPercentage } from '../../figures/roi.ts';
import { type Figures, openRollup, type Rollup, type Sums } from '../../figures/rollup.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import type { Day } from '../../figures/calendar.ts';
import { laterOf } from '../../figures/calendar.ts';
import type { UnsettledSum } from '../../figures/unsettled.ts';
import { readInitiativeSums } from '../../ledger/moment/entry-sums.ts';
import { readUnsettledAmounts } from '../../ledger/moment/unsettled-amounts.ts';
import { requireExactSums } from '../../sum-limit.ts';

/** The figures of one initiative. */
export interface ComparedFigures {
  readonly figures: Figures;
  /** As `/roi` states it. */
  readonly roi: number | null;
  readonly roi_percentage: number | null;
}

export interface InitiativeFigures {
  readonly window: RequestedWindow;
  /** The figures of any initiative of the account; zeros for one without entries. */
  readonly of: (initiative_id: bigint) => ComparedFigures;
  /** The number of initiatives with entries. */
  readonly counted: number;
  /** True if amounts of the window have no dollar figure and so are in no figure here. */
  readonly leaves_out: boolean;
}

/** Reads the figures, without samples. Call it in a transaction that sees one moment. */
export async function readInitiativeFigures(
  client: ClientBase,
  question: { readonly account_id: bigint; readonly window: WindowRequest; readonly moment: FiscalMoment },
): Promise<InitiativeFigures> {
  const { account_id, window, moment } = question;
  const days = countedDays(window, moment);
  const scope = { account_id, initiative_id: null, include_sample: false, days };
  const rollups = new Map<bigint, Rollup>();
  for (const { initiative_id, ...sums } of await readInitiativeSums(client, scope)) {
    rollups.set(initiative_id, rolledUp([sums], rollups.get(initiative_id)));
  }
  return initiativeFiguresOf(question, rollups, await readUnsettledAmounts(client, scope));
}

/** The roll-up of these sums, or the given one with them added. */
export function rolledUp(sums: Iterable<Sums>, rollup: Rollup = openRollup()): Rollup {
  for (const each of sums) rollup.add(each);
  return rollup;
}

/** The figures of the initiatives' roll-ups; `unsettled` are the amounts without a final dollar figure. */
export function initiativeFiguresOf(
  { window, moment }: { readonly window: WindowRequest; readonly moment: FiscalMoment },
  rollups: ReadonlyMap<bigint, Rollup>,
  unsettled: readonly Pick<UnsettledSum, 'kind'>[],
): InitiativeFigures {
  let latestDay: Day | null = null;
  for (const rollup of rollups.values()) {
    const latest = rollup.latestDay();
    if (latest !== null) latestDay = laterOf(latest, latestDay);
  }
  return {
    window: windowOf(window, moment, latestDay),
    counted: rollups.size,
    leaves_out: unsettled.some(({ kind }) => kind !== 'provisional_cost'),
    of(initiative_id) {
      const figures = (rollups.get(initiative_id) ?? openRollup()).figures();
      requireExactSums(() => `initiative ${initiative_id}`, figures);
      const { cash_value_cents: value, cost_cents: cost } = figures;
      return { figures, roi: liveRoi(value, cost), roi_percentage: roiPercentage(value, cost) };
    },
  };
}
