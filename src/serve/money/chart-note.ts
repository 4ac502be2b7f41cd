/** What a chart of months cannot show, below the chart: why its last figure is not the one of all time. */
import { html } from 'hono/html';
import { NO_ENTRIES } from '../../figures/window-change.ts';
import { shownDollars } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';

interface Amounts {
  readonly cost_cents: bigint;
  readonly cash_value_cents: bigint;
}

interface NotInChart {
  readonly undated: Amounts;
  /** With a date after the months of the chart. */
  readonly later: Amounts;
}

const NOTHING: Amounts = { cost_cents: 0n, cash_value_cents: 0n };

/** What the figures of all time have besides the months of a chart. */
export function notInChart(
  months: readonly Amounts[],
  all: Pick<typeof NO_ENTRIES, 'cost' | 'cash_value'> = NO_ENTRIES,
  undated: Amounts = NOTHING,
): NotInChart {
  const shown = (of: keyof Amounts): bigint => months.reduce((sum, month) => sum + month[of], undated[of]);
  return {
    undated,
    later: {
      cost_cents: all.cost - shown('cost_cents'),
      cash_value_cents: all.cash_value - shown('cash_value_cents'),
    },
  };
}

/** The amounts that a chart does not have; nothing if it has all. */
export function chartNote({ undated, later }: NotInChart): Html | '' {
  const parts = [
    [undated, 'Without a date'],
    [later, 'Dated after the chart'],
  ] as const;
  const told = parts.filter(([of]) => of.cost_cents !== 0n || of.cash_value_cents !== 0n);
  if (told.length === 0) return '';
  return html`<p class="quiet">
    The chart has dated amounts only.
    ${told.map(([of, name]) => html`${name}: cost ${shownDollars(of.cost_cents)}, cash value ${shownDollars(of.cash_value_cents)}. `)}
  </p>`;
}
