/** The overview: what was spent, what came back, what moved since the snapshot before; all of one snapshot. */
import { html } from 'hono/html';
import { changeOf } from '../../figures/window-change.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { shownCountOf } from '../../format.ts';
import {
  shownDay,
  shownDollarDifference,
  shownDollars,
  shownMoment,
  shownMonth,
} from '../frame/shown-values.ts';
import { standingNotes } from '../pages/standing-notes.ts';
import { closedSentence } from '../rows/months-of-close.ts';
import { stepsOf } from '../rows/moves.ts';
import { reasonPhrase } from '../rows/reason-words.ts';
import { movesAddress } from '../rows/shown-moves.ts';
import type { Html } from '../frame/site-layout.ts';
import { chartNote } from './chart-note.ts';
import { monthsChart } from './months-chart.ts';
import { leftOutSentence, notInTotals } from './not-in-totals.ts';
import type { Overview } from './overview.ts';
import type { OverviewQuery } from './overview-query.ts';
import { quarterSection } from './quarters.ts';
import { firstSteps } from '../pages/first-steps.ts';
import { initiativeAddress, rankedOnPaper, rankTabs } from './initiatives-page.ts';
import { hasFigures, rankInitiatives, rankingTable, withoutFigures } from './ranking.ts';
import { type RowLinks, rowLinks } from './row-links.ts';
import { nothingMoved, shownLabel, statement } from './statement.ts';

/** How many initiatives the overview ranks. The page of initiatives, linked below the list, has all initiatives. */
const MAX_RANKED = 15;

interface Shown extends Pick<OverviewQuery, 'by' | 'window'> {
  readonly account_id: bigint;
  readonly overview: Overview;
}

/** The figures; the page adds notes before and the snapshots after. */
export async function overviewBody({ account_id, overview, by, window }: Shown): Promise<Html> {
  const { snapshot, before, year, initiatives: all } = overview;
  if (all.length === 0) return html`${firstSteps(account_id)} ${standingNotes(snapshot, 'snapshots/')}`;
  const links = rowLinks('', snapshot.snapshot_id);
  const ofYear = overview.totals.portfolio.get(year.window_key);
  const label = ofYear === undefined ? `${year.window_label} so far` : shownLabel(ofYear);
  const { totals, totals_before } = overview;
  const still = nothingMoved(
    [year.window_key, 'all'].map((key) =>
      totals_before === null ? null : changeOf(totals_before.portfolio.get(key), totals.portfolio.get(key)),
    ),
  );
  const since =
    before === null
      ? 'no earlier snapshot can be compared'
      : html`${still ? 'nothing moved since' : 'under each figure, its change since'}
          <a href="${movesAddress('', before.snapshot_id, snapshot.snapshot_id)}"
            >${shownMoment(before.generated_at)}</a
          >`;
  const heading = html`<h2>${label} <span>from ${shownDay(year.from_date)}; ${since}</span></h2>`;
  const all_heading = html`<h2>All time <span>with entries that carry no date</span></h2>`;
  return html`${lead(overview)} ${leftOutSentence(overview, links)} ${standingNotes(snapshot, 'snapshots/')}
    ${statement(overview, links, { window_key: year.window_key, heading, still })}
    ${statement(overview, links, { window_key: 'all', heading: all_heading, still })} ${whatMoved(overview)}
    ${months(overview, links)}
    ${quarterSection({ windows: totals.portfolio, moment: overview.moment, links })}
    ${await initiatives({ overview, by, window }, links)}
    <section>
      <div class="head"><h2 id="not-in-totals">In no total, and why</h2></div>
      ${notInTotals(overview, links, '')}
    </section>`;
}

function lead({ snapshot, before, year, totals, totals_before }: Overview): Html {
  const now = totals.portfolio.get(year.window_key);
  const change =
    totals_before === null ? null : changeOf(totals_before.portfolio.get('all'), totals.portfolio.get('all'));
  return html`<p class="lead">
    This fiscal year the initiatives cost <b>${shownDollars(now?.cost ?? 0n)}</b>, and
    <b>${shownDollars(now?.cash_value ?? 0n)}</b> came back in cash.
    ${
      change === null || before === null
        ? ''
        : change.cost === 0n && change.cash_value === 0n
          ? 'Since the snapshot before, neither cost nor cash value of all time moved.'
          : html`Since the snapshot before, cost of all time ${moved(change.cost)} and cash value
              ${moved(change.cash_value)}.
              <a class="not-on-paper" href="${movesAddress('', before.snapshot_id, snapshot.snapshot_id)}"
                >See why</a
              >`
    }
  </p>`;
}

/** The reasons for which net value of all time moved, as the comparison orders them; nothing if it did not. */
function whatMoved({ before, snapshot, moves, totals_before }: Overview): Html | '' {
  if (before === null || moves === null) return '';
  const steps = stepsOf(moves, 'all', totals_before?.portfolio.get('all')?.net_value ?? 0n);
  if (steps.length === 0) return '';
  const compared = movesAddress('', before.snapshot_id, snapshot.snapshot_id);
  const more = steps.length - MAX_REASONS;
  return html`<section>
    <div class="head">
      <h2 id="moved">What moved</h2>
      <p>net value of all time, since ${shownMoment(before.generated_at)}</p>
      <p class="end"><a href="${compared}">Every reason and its rows</a></p>
    </div>
    <table class="bars">
      <tbody>
        ${steps.slice(0, MAX_REASONS).map(
          ({ reason, kind, entries, net }) =>
            html`<tr>
              <th scope="row">
                <span class="key ${kind}">${reasonPhrase(reason, kind, entries)}</span>
              </th>
              <td class="r">${shownDollarDifference(net)}</td>
            </tr>`,
        )}
        ${
          more > 0
            ? html`<tr>
                <th scope="row" colspan="2">
                  <a href="${compared}">and ${shownCountOf(more, 'reason')} more</a>
                </th>
              </tr>`
            : ''
        }
      </tbody>
    </table>
  </section>`;
}

/** The overview names this many reasons; the page of what changed has all. */
const MAX_REASONS = 6;

function moved(cents: bigint): Html | string {
  if (cents === 0n) return 'did not move';
  return html`${cents > 0n ? 'rose' : 'fell'} by <b>${shownDollars(cents > 0n ? cents : -cents)}</b>`;
}

/** What the page shows if the figures of a snapshot cannot be read now. */
export function unreadFigures({ snapshot_id }: ReadableSnapshot, why: string): Html {
  return html`<p class="note bad" role="alert">
    <strong class="bad">The figures of ${snapshot_id} cannot be read now:</strong> ${why}
    <a href="docs/troubleshooting">What to do</a>
  </p>`;
}

function months(overview: Overview, links: RowLinks): Html {
  const { months: shown, moment, totals, unsettled, closed_months } = overview;
  const head = html`<div class="head">
    <h2 id="months">Month by month</h2>
    <p class="legend">
      <span class="key cost">Cost</span> <span class="key value">Cash value</span>
      <span class="key line">Cumulative net</span>
    </p>
  </div>`;
  if (shown === null) {
    return html`<section>
      ${head}
      <p>
        No cost and no value with a date is in this snapshot.
        <a href="docs/load-the-ledger">How to load costs and value</a>
      </p>
    </section>`;
  }
  const { months: each, earlier, later, undated } = shown.portfolio;
  const chart = monthsChart(each, moment);
  const all = totals.portfolio.get('all');
  const line = (name: string, of: typeof undated): Html | '' =>
    of.cost_cents === 0n && of.cash_value_cents === 0n
      ? ''
      : html`<tr>
          <th scope="row">${name}</th>
          <td class="r" data-column="Cost">${shownDollars(of.cost_cents)}</td>
          <td class="r" data-column="Cash value">${shownDollars(of.cash_value_cents)}</td>
          <td></td>
          <td></td>
        </tr>`;
  return html`<section>
    ${head}
    ${chart === '' ? html`<p class="quiet">Every month is $0.00.</p>` : html`<figure>${chart}</figure>`}
    ${chartNote({ undated, later }, unsettled.undated)}
    ${closedSentence(closed_months, links.table('accounting_periods'))}
    <details>
      <summary>The table behind this chart</summary>
      <table class="months">
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" class="r">Cost</th>
            <th scope="col" class="r">Cash value</th>
            <th scope="col" class="r">Net value</th>
            <th scope="col" class="r">Cumulative net</th>
          </tr>
        </thead>
        <tbody>
          ${line('Earlier', earlier)}
          ${each.map(
            ({ month, cost_cents, cash_value_cents, net_value_cents, cumulative_net_cents }) =>
              html`<tr data-point>
                <th scope="row">${shownMonth(month)}</th>
                <td class="r" data-column="Cost">
                  <a href="${links.costs({ month })}">${shownDollars(cost_cents)}</a>
                </td>
                <td class="r" data-column="Cash value">
                  <a href="${links.cash({ month })}">${shownDollars(cash_value_cents)}</a>
                </td>
                <td class="r" data-column="Net value">${shownDollars(net_value_cents)}</td>
                <td class="r" data-column="Cumulative net">${shownDollars(cumulative_net_cents)}</td>
              </tr>`,
          )}
          ${line('Later', later)} ${line('Without a month', undated)}
          <tr class="sum">
            <th scope="row">All time</th>
            <td class="r" data-column="Cost">${shownDollars(all?.cost ?? 0n)}</td>
            <td class="r" data-column="Cash value">${shownDollars(all?.cash_value ?? 0n)}</td>
            <td class="r" data-column="Net value">${shownDollars(all?.net_value ?? 0n)}</td>
            <td></td>
          </tr>
        </tbody>
      </table>
    </details>
  </section>`;
}

async function initiatives(
  { overview, by, window }: Omit<Shown, 'account_id'>,
  links: RowLinks,
): Promise<Html> {
  const { snapshot, year } = overview;
  const window_key = window === 'all' ? 'all' : year.window_key;
  const ranked = rankInitiatives(overview, window_key, by);
  const shown = ranked.filter(hasFigures).slice(0, MAX_RANKED);
  const seriesOf = await overview.months?.initiatives(shown.map(({ id }) => id));
  const pageOf = initiativeAddress('', overview);
  return html`<section>
    <div class="head">
      <h2>Initiatives</h2>
      ${rankTabs({ overview, by, window, path: './' })}
    </div>
    ${rankedOnPaper({ overview, by, window })}
    ${shown.length === 0 ? '' : rankingTable({ overview, ranked: shown, seriesOf, window_key, links, pageOf })}
    <p>
      <a href="initiatives?snapshot=${snapshot.snapshot_id}"
        >${ranked.length === 1 ? '' : 'All '}${shownCountOf(ranked.length, 'initiative')}</a
      >
    </p>
    ${withoutFigures(ranked, pageOf)}
  </section>`;
}
