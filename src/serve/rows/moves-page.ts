/** The page of what moved between two snapshots: pickers, the waterfall, and changed rows with both cells. */
import { html } from 'hono/html';
import type { Step } from '../../figures/waterfall.ts';
import { shownCount } from '../../format.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import {
  shownDollarDifference,
  shownDollars,
  shownMoment,
  shownRoi,
  shownWindow,
} from '../frame/shown-values.ts';
import { snapshotOptions } from '../frame/snapshot-options.ts';
import type { Html } from '../frame/site-layout.ts';
import { changedRows, initiativeLink } from './changed-rows.ts';
import { movedTotals } from './moved-totals.ts';
import { movedWindows, stepsOf } from './moves.ts';
import { reasonPhrase } from './reason-words.ts';
import { anchorOf, movesAddress, type ShownMoves } from './shown-moves.ts';
import type { WindowTotals } from './window-totals.ts';
import { waterfallBar, waterfallScale } from './waterfall-chart.ts';

/** How many initiatives a step names; the list of changed rows has all of them. */
const MAX_NAMED_INITIATIVES = 3;

/** The upper part of the page: the pickers, why the totals moved, and the rows that moved them. */
export function whyBody(shown: ShownMoves): Html {
  const { root, from, to, listed, moves } = shown;
  const windows = movedWindows(moves, shown.after);
  const window = shown.window ?? windows[0] ?? null;
  return html`${pickers(root, from.snapshot_id, to.snapshot_id, listed)}
  ${
    window === null
      ? html`<p class="lead">No cost and no cash value of the portfolio moved.</p>`
      : whyMoved(shown, windows, window)
  }
  ${changedRows(shown)} ${movedTotals(shown, windows)}`;
}

/** The page of a snapshot without an earlier one. */
export function firstSnapshotBody(root: string): Html {
  return html`<h1>What changed</h1>
    <p class="lead">No earlier snapshot is kept to compare this one with.</p>
    <p>
      A snapshot is built every night; from the second one on, this page says what moved and why.
      <a href="${root}night">When the next night is due</a>
    </p>`;
}

/** The form that chooses the two snapshots. */
function pickers(root: string, from: string, to: string, listed: readonly ReadableSnapshot[]): Html {
  const picker = (name: string, label: string, chosen: string): Html =>
    html`<div>
      <label for="pick-${name}">${label}</label>
      <select id="pick-${name}" name="${name}">
        ${snapshotOptions(listed, chosen)}
      </select>
    </div>`;
  return html`<form class="pick" method="get" action="${root}changes">
    ${picker('from', 'From', from)} ${picker('to', 'To', to)}
    <button>Compare</button>
  </form>`;
}

function whyMoved(shown: ShownMoves, windows: readonly string[], window: string): Html {
  const { root, from, to, moves } = shown;
  const [before, after] = [shown.before.get(window), shown.after.get(window)];
  const start = before?.net_value ?? 0n;
  const steps = stepsOf(moves, window, start);
  const label = shownWindow(window);
  return html`${leadSentence(label, before, after, steps)}
    <h2 id="why">Why the totals moved</h2>
    <nav class="tabs" aria-label="Window of the totals">
      ${windows.map((key) => {
        const address = movesAddress(root, from.snapshot_id, to.snapshot_id, { window: key });
        return html`<a href="${address}" ${key === window ? html`aria-current="true"` : ''}
          >${shownWindow(key)}</a
        > `;
      })}
    </nav>
    ${waterfallTable(shown, label, { before, after, steps })}
    <p class="quiet">${roiSentence(before, after)} ${capacitySentence(before, after)}</p>`;
}

type Totals = WindowTotals | undefined;

function leadSentence(label: string, before: Totals, after: Totals, steps: readonly Step[]): Html {
  const [heaviest] = steps.toSorted((a, b) => Number(magnitude(b.net) - magnitude(a.net)));
  const net = (after?.net_value ?? 0n) - (before?.net_value ?? 0n);
  const cost = (after?.cost ?? 0n) - (before?.cost ?? 0n);
  const cash = (after?.cash_value ?? 0n) - (before?.cash_value ?? 0n);
  return html`<p class="lead">
    Net value of ${label} ${movedBy(net)}: cost ${movedBy(cost)}, cash value ${movedBy(cash)}.
    ${
      heaviest === undefined
        ? ''
        : html`The weightiest reason:
            <b>${reasonPhrase(heaviest.reason, heaviest.kind, heaviest.entries)}</b>,
            ${shownDollarDifference(heaviest.net)}.`
    }
  </p>`;
}

function movedBy(cents: bigint): Html | string {
  if (cents === 0n) return 'did not move';
  return html`${cents > 0n ? 'rose' : 'fell'} by <b>${shownDollars(magnitude(cents))}</b>`;
}

function magnitude(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}

function waterfallTable(
  shown: ShownMoves,
  label: string,
  {
    before,
    after,
    steps,
  }: { readonly before: Totals; readonly after: Totals; readonly steps: readonly Step[] },
): Html {
  const { from, to } = shown;
  const [start, end] = [before?.net_value ?? 0n, after?.net_value ?? 0n];
  const scale = waterfallScale([start, end, ...steps.flatMap((step) => [step.from, step.to])]);
  const total = (name: string, snapshot: ReadableSnapshot, totals: Totals, joined: boolean): Html => {
    const net = totals?.net_value ?? 0n;
    return html`<tr class="tot">
      <th scope="row">${name} <span class="quiet">${shownMoment(snapshot.generated_at)}</span></th>
      <td class="bar">${waterfallBar(scale, { from: 0n, to: net, kind: 'total', joined })}</td>
      <td class="r net">${shownDollars(net)}</td>
      <td class="r" data-column="Cost">${shownDollars(totals?.cost ?? 0n)}</td>
      <td class="r" data-column="Cash value">${shownDollars(totals?.cash_value ?? 0n)}</td>
    </tr>`;
  };
  return html`<table class="fall">
    <caption>
      Net value of ${label} from before to after, one step for each reason. A step to the right adds to net
      value. Each step stands once for cost, cash value and net.
    </caption>
    <thead>
      <tr>
        <th scope="col">Reason</th>
        <th scope="col">Net value, step by step</th>
        <th scope="col" class="r">Net value</th>
        <th scope="col" class="r"><span class="key c">Cost</span></th>
        <th scope="col" class="r"><span class="key v">Cash value</span></th>
      </tr>
    </thead>
    <tbody>
      ${total('Before', from, before, true)}
      ${steps.map(
        (step) =>
          html`<tr>
            <th scope="row">
              <span class="key ${step.kind === 'cost' ? 'c' : 'v'}"
                ><a href="#${anchorOf(step)}">${reasonPhrase(step.reason, step.kind, step.entries)}</a></span
              >
              ${heaviestInitiatives(shown, step, after ?? before)}
            </th>
            <td class="bar">${waterfallBar(scale, { ...step, joined: true })}</td>
            <td class="r net">${shownDollarDifference(step.net)}</td>
            ${stepCell('Cost', step.kind === 'cost' ? step.cents : null)}
            ${stepCell('Cash value', step.kind === 'value' ? step.cents : null)}
          </tr>`,
      )}
      ${total('After', to, after, false)}
    </tbody>
  </table>`;
}

/** The initiatives that weigh most in a step, each with what it adds to net value. */
function heaviestInitiatives(shown: ShownMoves, step: Step, window: Totals): Html | '' {
  if (window === undefined) return '';
  const parts = shown.moves.by_initiative.parts(step.kind, step.reason, window);
  const rest = parts.length - MAX_NAMED_INITIATIVES;
  return html`<span class="quiet">
    ${parts.slice(0, MAX_NAMED_INITIATIVES).map(({ initiative_id, net }, index) => {
      const name = initiativeLink(shown, initiative_id);
      return html`${index === 0 ? '' : ', '}${name}
        <span class="amount">${shownDollarDifference(net)}</span>`;
    })}${rest > 0 ? ` and ${shownCount(rest)} more` : ''}
  </span>`;
}

function stepCell(name: string, cents: bigint | null): Html {
  if (cents === null)
    return html`<td class="r none" data-column="${name}"><span class="unknown">·</span></td>`;
  return html`<td class="r" data-column="${name}">${shownDollarDifference(cents)}</td>`;
}

function roiSentence(before: Totals, after: Totals): Html | string {
  const [was, is] = [before?.roi ?? null, after?.roi ?? null];
  if (was === is) return is === null ? 'There is no ROI.' : `ROI stays ${shownRoi(is)}.`;
  return `ROI went from ${shownRoi(was)} to ${shownRoi(is)}. A ratio has no parts by reason.`;
}

function capacitySentence(before: Totals, after: Totals): string {
  const [was, is] = [before?.freed_capacity ?? 0n, after?.freed_capacity ?? 0n];
  if (was === is) return `Freed capacity did not move (${shownDollars(is)}).`;
  return `Freed capacity went from ${shownDollars(was)} to ${shownDollars(is)}; it is in no net value.`;
}

/** What a reader sees while two large snapshots are compared for the first time. */
export function comparingBody({
  root,
  from,
  to,
  listed,
}: Pick<ShownMoves, 'root' | 'from' | 'to' | 'listed'>): Html {
  const rows = [from, to].map(({ tables }) => tables.reduce((sum, { row_count }) => sum + row_count, 0));
  return html`<h1>What changed</h1>
    ${pickers(root, from.snapshot_id, to.snapshot_id, listed)}
    <p class="note" role="status">
      Comparing ${shownCount(rows[0] ?? 0)} rows of ${from.snapshot_id} with ${shownCount(rows[1] ?? 0)} rows
      of ${to.snapshot_id}. Every row is read once; after that the page opens at once. It asks again by itself
      every two seconds.
    </p>`;
}
