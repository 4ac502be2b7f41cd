/** The windows of the portfolio whose totals moved, in one table: each figure after, and its change beneath. */
import { html } from 'hono/html';
import { changeOf, NO_ENTRIES } from '../../figures/window-change.ts';
import { shownCount } from '../../format.ts';
import { shownChange, shownDollars, shownPoints, shownRoi, shownWindow } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { movesAddress, type ShownMoves } from './shown-moves.ts';

/** The section; nothing if no window moved. Each window leads to its waterfall. */
export function movedTotals(shown: ShownMoves, windows: readonly string[]): Html | '' {
  const { root, from, to, before, after } = shown;
  if (windows.length === 0) return '';
  const others = new Set([...before.keys(), ...after.keys()]).size - windows.length;
  return html`<h2 id="moved">Which totals moved</h2>
    <p class="quiet">
      Each figure after, and its change
      beneath.${others === 0 ? '' : ` Cost and cash value of ${shownCount(others)} other ${others === 1 ? 'window' : 'windows'} did not move.`}
    </p>
    <table class="moved months">
      <thead>
        <tr>
          <th scope="col">Window</th>
          <th scope="col" class="r"><span class="key c">Cost</span></th>
          <th scope="col" class="r"><span class="key v">Cash value</span></th>
          <th scope="col" class="r">Net value</th>
          <th scope="col" class="r">ROI</th>
        </tr>
      </thead>
      <tbody>
        ${windows.map((key) => {
          const now = after.get(key) ?? NO_ENTRIES;
          const change = changeOf(before.get(key), now);
          const address = movesAddress(root, from.snapshot_id, to.snapshot_id, { window: key });
          return html`<tr>
            <th scope="row"><a href="${address}">${shownWindow(key)}</a></th>
            ${cell('Cost', shownDollars(now.cost), shownChange(change.cost))}
            ${cell('Cash value', shownDollars(now.cash_value), shownChange(change.cash_value))}
            ${cell('Net value', shownDollars(now.net_value), shownChange(change.net_value))}
            ${cell('ROI', shownRoi(now.roi), shownPoints(change.roi_points))}
          </tr>`;
        })}
      </tbody>
    </table>`;
}

function cell(name: string, figure: string, change: string): Html {
  return html`<td class="r" data-column="${name}">
    ${figure} ${change === '' ? '' : html`<span class="quiet">${change}</span>`}
  </td>`;
}
