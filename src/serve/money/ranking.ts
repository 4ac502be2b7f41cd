/** The initiatives by a figure, heaviest first, each with a small line of its cumulative net. */
import { html } from 'hono/html';
import { cash, cents, netOf } from '../../figures/cents.ts';
import { liveRoi } from '../../figures/roi.ts';
import { changeOf, NO_ENTRIES } from '../../figures/window-change.ts';
import { shownCount } from '../../format.ts';
import { shownChange, shownDollars, shownRoi } from '../frame/shown-values.ts';
import { inSteps } from '../site/in-steps.ts';
import type { Html } from '../frame/site-layout.ts';
import { foldBox } from './fold.ts';
import type { SeriesOf } from './months.ts';
import type { InitiativeName, Overview } from './overview.ts';
import type { RowLinks } from './row-links.ts';
import { smallLine } from './small-line.ts';

/** The figures to rank by, as the address names them. */
export const RANKS = {
  net: 'net value',
  cost: 'cost',
  cash: 'cash value',
  capacity: 'freed capacity',
  change: 'change',
} as const;
export type Rank = keyof typeof RANKS;

export interface RankedInitiative extends InitiativeName {
  readonly now: typeof NO_ENTRIES;
  /** The change of net value since the snapshot before; null without one. */
  readonly change: bigint | null;
}

/** Every initiative with its figures of a window, the greatest of the chosen figure first. */
export function rankInitiatives(
  { initiatives, totals, totals_before }: Pick<Overview, 'initiatives' | 'totals' | 'totals_before'>,
  window_key: string,
  by: Rank,
): readonly RankedInitiative[] {
  const lines = initiatives.map((initiative) => {
    const now = totals.initiatives.get(initiative.id, window_key);
    const then = totals_before?.initiatives.get(initiative.id, window_key);
    const change = totals_before === null ? null : changeOf(then, now).net_value;
    return { ...initiative, now: now ?? NO_ENTRIES, change };
  });
  const weight = WEIGHTS[by];
  return lines.toSorted((a, b) => {
    const [left, right] = [weight(a), weight(b)];
    return left === right ? (a.id < b.id ? -1 : 1) : left < right ? 1 : -1;
  });
}

const WEIGHTS: Readonly<Record<Rank, (of: RankedInitiative) => bigint>> = {
  net: ({ now }) => now.net_value,
  cost: ({ now }) => now.cost,
  cash: ({ now }) => now.cash_value,
  capacity: ({ now }) => now.freed_capacity,
  change: ({ change }) => (change === null ? 0n : change < 0n ? -change : change),
};

/** True if the window has a figure of the initiative, or had one in the snapshot before. */
export function hasFigures({ now, change }: RankedInitiative): boolean {
  const hasMoved = change !== null && change !== 0n;
  return hasMoved || now.cost !== 0n || now.cash_value !== 0n || now.freed_capacity !== 0n;
}

interface Shown {
  readonly overview: Overview;
  readonly ranked: readonly RankedInitiative[];
  /** The months of these initiatives; undefined without any. */
  readonly seriesOf: SeriesOf | undefined;
  readonly window_key: string;
  readonly links: RowLinks;
  /** The address of an initiative's own page. */
  readonly pageOf: (id: bigint) => string;
  /** The last line of the table, which may sum more lines than are shown. */
  readonly sum?: RankingSum | null;
}

interface RankingSum extends Pick<RankedInitiative, 'now' | 'change'> {
  readonly name: string;
}

/** The figures of all these initiatives together. */
export function sumOf(ranked: readonly RankedInitiative[], name: string): RankingSum {
  const cost = cents(total(ranked, ({ now }) => now.cost));
  const cash_value = cash(total(ranked, ({ now }) => now.cash_value));
  return {
    name,
    now: {
      cost,
      cash_value,
      net_value: netOf(cash_value, cost),
      freed_capacity: total(ranked, ({ now }) => now.freed_capacity),
      roi: liveRoi(cash_value, cost),
    },
    change: ranked.some(({ change }) => change === null) ? null : total(ranked, ({ change }) => change ?? 0n),
  };
}

function total(ranked: readonly RankedInitiative[], figure: (of: RankedInitiative) => bigint): bigint {
  return ranked.reduce((sum, each) => sum + figure(each), 0n);
}

function moved(change: bigint | null): Html | '' {
  return change === null ? '' : html`<td class="r" data-column="Net since last">${shownChange(change)}</td>`;
}

/** The table; without a snapshot before, it has no column of changes. */
export function rankingTable({
  overview,
  ranked,
  seriesOf,
  window_key,
  links,
  pageOf,
  sum = null,
}: Shown): Html {
  const window = overview.totals.portfolio.get(window_key);
  return html`${foldBox(ranked.length, 'initiatives')}
    <table class="ranking">
      <thead>
        <tr>
          <th scope="col">Initiative</th>
          <th scope="col">Net by month</th>
          <th scope="col" class="r">Net value</th>
          <th scope="col" class="r"><span class="key cost">Cost</span></th>
          <th scope="col" class="r"><span class="key value">Cash value</span></th>
          <th scope="col" class="r">ROI</th>
          <th scope="col" class="r"><span class="key freed">Freed capacity</span></th>
          ${overview.totals_before === null ? '' : html`<th scope="col" class="r">Net since last</th>`}
        </tr>
      </thead>
      <tbody>
        ${inSteps(ranked, (each) => {
          const { id, title, now, change } = each;
          const of = { initiative_id: id, ...(window === undefined ? {} : { window }) };
          return html`<tr>
            <th scope="row">
              <a href="${pageOf(id)}">${title}</a>
              <span class="quiet">${each.stage}, ${ownerWords(each)}</span>
            </th>
            <td class="line-cell">${seriesOf === undefined ? '' : smallLine(seriesOf(id).months)}</td>
            <td class="r net">${shownDollars(now.net_value)}</td>
            <td class="r" data-column="Cost"><a href="${links.costs(of)}">${shownDollars(now.cost)}</a></td>
            <td class="r" data-column="Cash value">
              <a href="${links.cash(of)}">${shownDollars(now.cash_value)}</a>
            </td>
            <td class="r" data-column="ROI">${shownRoi(now.roi)}</td>
            <td class="r" data-column="Freed capacity">${shownDollars(now.freed_capacity)}</td>
            ${moved(change)}
          </tr>`;
        })}
        ${
          sum === null
            ? ''
            : html`<tr class="sum">
                <th scope="row">${sum.name}</th>
                <td class="line-cell"></td>
                <td class="r net">${shownDollars(sum.now.net_value)}</td>
                <td class="r" data-column="Cost">${shownDollars(sum.now.cost)}</td>
                <td class="r" data-column="Cash value">${shownDollars(sum.now.cash_value)}</td>
                <td class="r" data-column="ROI">${shownRoi(sum.now.roi)}</td>
                <td class="r" data-column="Freed capacity">${shownDollars(sum.now.freed_capacity)}</td>
                ${moved(sum.change)}
              </tr>`
        }
      </tbody>
    </table>`;
}

/** `Dana Oduya, Claims`: the owner, and the department if it is known. */
export function ownerWords({ owner, department }: Pick<InitiativeName, 'owner' | 'department'>): string {
  return [owner ?? 'no owner', department ?? []].flat().join(', ');
}

/** The initiatives without any figure in the window, by name. */
export function withoutFigures(
  ranked: readonly RankedInitiative[],
  pageOf: (id: bigint) => string,
): Html | '' {
  const none = ranked.filter((each) => !hasFigures(each));
  const [named, more] = [none.slice(0, MAX_NAMED_INITIATIVES), none.length - MAX_NAMED_INITIATIVES];
  if (none.length === 0) return '';
  return html`<p class="quiet">
    Nothing recorded in this window:
    ${named.map(({ id, title, stage }, index) => html`${index === 0 ? '' : ', '}<a href="${pageOf(id)}">${title}</a> (${stage})`)}${more > 0 ? ` and ${shownCount(more)} more` : ''}.
    A first cost or approved value puts an initiative in the list.
  </p>`;
}

const MAX_NAMED_INITIATIVES = 12;
