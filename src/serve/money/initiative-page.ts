/** The page of one initiative: does it keep its promise? All figures are of one snapshot. */
import { html } from 'hono/html';
import { shownSentence } from '../../format.ts';
import type { Day } from '../../figures/calendar.ts';
import type { Change } from '../../diff/change.ts';
import type { MonthSeries } from '../../figures/month-series.ts';
import { firstWithAmount, isCovered, paidBackSince, runRate, shareOfDue } from '../../figures/plan-path.ts';
import { changeOf, NO_ENTRIES } from '../../figures/window-change.ts';
import {
  shownDay,
  shownDollars,
  shownMoment,
  shownMonth,
  shownShare,
  shownAmount,
} from '../frame/shown-values.ts';
import { stepsOf } from '../rows/moves.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { Html } from '../frame/site-layout.ts';
import { barList } from './bar-list.ts';
import { arrivedInPlan, chartNote, notInChart, planLegend, planNote } from './chart-note.ts';
import type { InitiativeMoney } from './initiative.ts';
import {
  BASES,
  budgetSection,
  decisionDays,
  decisionSection,
  documentLine,
  monthTable,
} from './initiative-parts.ts';
import type { InitiativeOverview } from './overview.ts';
import { hasCash, planChart } from './plan-chart.ts';
import { leftOutParts } from './not-in-totals.ts';
import { quarterSection } from './quarters.ts';
import { CASH_TYPES, type RowLinks } from './row-links.ts';
import { figuresRow, heaviestReasons, nothingMoved } from './statement.ts';

export interface ShownInitiative {
  readonly overview: InitiativeOverview;
  readonly id: bigint;
  readonly money: InitiativeMoney;
  readonly links: RowLinks;
  /** Its windows that moved since the snapshot before, with their reasons; null until both are compared. */
  readonly moves: readonly Change[] | null;
}

export function initiativeBody(shown: ShownInitiative): Html {
  const { overview, id, money, links } = shown;
  const { row, costs, value, vendors } = money;
  const own = { initiative_id: id };
  const ownRows = (table: string, more: readonly (readonly [string, string])[] = []): string =>
    links.table(table, [['initiative_id', String(id)], ...more]);
  return html`${lead(shown)} ${totals(shown)} ${planSection(shown)}
    ${quarterSection({ windows: overview.windows, moment: overview.moment, links, initiative_id: id })}
    <div class="two">
      ${barList({
        id: 'cost-by-type',
        heading: 'Cost by type',
        tone: 'cost',
        sums: costs.of('cost_type'),
        total: costs.total,
        none: 'no type named',
        link: (type) => ownRows('costs', [['cost_type', textOf(type)]]),
        totalLink: links.costs(own),
      })}
      ${barList({
        id: 'cost-by-vendor',
        heading: 'Cost by vendor',
        tone: 'cost',
        sums: costs.of('vendor_id'),
        total: costs.total,
        none: 'no vendor named',
        name: (vendor) => vendors.get(vendor) ?? String(vendor),
        link: (vendor) => ownRows('costs', [['vendor_id', textOf(vendor)]]),
        totalLink: links.costs(own),
      })}
      <div>
        ${barList({
          id: 'value-by-basis',
          heading: 'Cash value by basis',
          tone: 'value',
          sums: value.of('basis'),
          total: value.total,
          none: 'not recorded',
          name: (basis) => BASES[String(basis)] ?? String(basis),
          link: (basis) =>
            ownRows('reported_value', [
              ...CASH_TYPES.map((type) => ['entry_type', type] as const),
              ['basis', textOf(basis)],
            ]),
          totalLink: links.cash(own),
        })}
        ${documentLine(money, ownRows('value_supporting_documents'))}
        <p class="quiet">
          Evidence: <a href="${ownRows('value_inputs')}">the inputs of its formulas</a>, by entry;
          <a href="../docs/evidence">what each basis means</a>.
        </p>
      </div>
      ${budgetSection(money, overview, ownRows)}
    </div>
    ${decisionSection(money, overview.moment.as_of, ownRows)}
    <p class="quiet">
      Its rows:
      <a href="${links.table('initiatives', [['initiative_id', String(id)]])}">initiative</a>,
      <a href="${ownRows('costs')}">costs</a>, <a href="${ownRows('reported_value')}">value</a>,
      <a href="${ownRows('budgets')}">budgets</a>,
      <a href="${ownRows('reported_totals')}">totals by window</a>.
      <a href="${row.app_url}" rel="noreferrer">Open in the application</a>
    </p>`;
}

function textOf(value: FieldValue): string {
  return value === null ? '' : String(value);
}

/** The cash value that came back in the currency of the plan; null if the snapshot does not have it in that currency. */
function arrivedIn({ overview, money }: ShownInitiative): bigint | null {
  if (money.row.currency === 'USD') return (overview.windows.get('all') ?? NO_ENTRIES).cash_value;
  return money.arrived?.reduce((sum, { cash_cents }) => sum + cash_cents, 0n) ?? null;
}

/** The share of the plan's due value that came back, in the currency of the plan; null without a due plan. */
function shareArrived(shown: ShownInitiative): number | null {
  const due = shown.money.plan?.due ?? null;
  const arrived = arrivedIn(shown);
  return due === null || arrived === null ? null : shareOfDue(due.value_cents, arrived);
}

function lead(shown: ShownInitiative): Html {
  const { overview, id, money } = shown;
  const { row, went_live_on } = money;
  const now = overview.windows.get('all') ?? NO_ENTRIES;
  const share = shareArrived(shown);
  const { stage } = row;
  const promised = share === null ? '' : html`<b>${shownShare(share)}</b> of what the plan promised by now`;
  return html`<p class="crumbs"><a href="../initiatives">Initiatives</a> / ${String(id)}</p>
    <h1>${row.title}</h1>
    <p class="lead">
      ${stage.slice(0, 1).toUpperCase()}${stage.slice(1)}${stage === 'live' && went_live_on !== null ? html` since ${shownDay(went_live_on)}` : ''};
      ${row.department === null ? '' : html`${row.department}, `}
      ${shownSentence(row.owner_name === null ? 'no owner' : `owned by ${row.owner_name}`)} It has brought
      <b>${shownDollars(now.cash_value)}</b> in
      cash${share === null ? '.' : row.currency === 'USD' ? html`, ${promised}.` : html`. In ${row.currency}, the currency of its plan, <b>${shownAmount(arrivedIn(shown) ?? 0n, row.currency)}</b> came back: ${promised}.`}
    </p>
    ${leftOutNote(shown)}`;
}

/** What the figures of the initiative leave out; nothing if they leave out nothing. */
function leftOutNote({ overview, id, links }: ShownInitiative): Html | '' {
  const { snapshot, unsettled } = overview;
  const reasons = snapshot.left_out?.reasons;
  const parts = leftOutParts({ left_out: unsettled.left_out, reasons, links, initiative_id: id });
  if (parts.length === 0) return '';
  return html`<p class="note">
    In no dollar figure here: ${parts.map((part, index) => html`${index === 0 ? '' : '; '}${part}`)}.
    <a href="../docs/dollar-conversion">How an amount becomes dollars</a>
  </p>`;
}

function totals({ overview, id, links, moves }: ShownInitiative): Html {
  const { before, snapshot, year, windows, windows_before, unsettled } = overview;
  const rows = [
    ['all', 'All time'],
    [year.window_key, `${year.window_label} so far`],
  ] as const;
  const changeIn = (key: string) =>
    windows_before === null ? null : changeOf(windows_before.get(key), windows.get(key));
  const still = nothingMoved(rows.map(([key]) => changeIn(key)));
  return html`${rows.map(([key, label], index) => {
    const now = windows.get(key);
    const then = windows_before?.get(key);
    const since =
      index > 0 || before === null
        ? ''
        : html`<span
            >${still ? 'nothing moved since' : 'under each figure, its change since'}
            <a href="../snapshots/${snapshot.snapshot_id}/changes?from=${before.snapshot_id}"
              >${shownMoment(before.generated_at)}</a
            ></span
          >`;
    const change = still ? null : changeIn(key);
    const steps = moves === null ? null : stepsOf({ totals: moves }, key, then?.net_value ?? 0n);
    // A year without a dated entry has no window of its own: its rows are none.
    const of = { initiative_id: id, window: now ?? (key === 'all' ? undefined : year) };
    return figuresRow({
      heading: html`<h2>${label} ${since}</h2>`,
      second: index > 0,
      now: now ?? NO_ENTRIES,
      change,
      why: heaviestReasons(change, steps),
      provisional_cents: unsettled.provisional.get(key) ?? 0n,
      links: {
        cost: links.costs(of),
        provisional: links.costs({ ...of, provisional: true }),
        cash: links.cash(of),
        total: links.total(key, id),
      },
    });
  })}`;
}

/** The months of an initiative from its first amount, or its start, through the month of the snapshot. */
function ownMonths({ overview, money }: ShownInitiative): MonthSeries['months'] {
  const months = overview.series?.months ?? [];
  const has = firstWithAmount(months, overview.series?.earlier);
  const { as_of } = overview.moment;
  const from = [money.started_on, has < 0 ? null : (months[has]?.month ?? null)]
    .filter((day): day is Day => day !== null)
    .toSorted((a, b) => (a < b ? -1 : 1))[0];
  return from === undefined
    ? []
    : months.filter(({ month }) => month.slice(0, 7) >= from.slice(0, 7) && month <= as_of);
}

/** What came back in the currency of a plan that is not in dollars; the chart has no value without a date. */
function cameBack(shown: ShownInitiative): string {
  const { row, arrived } = shown.money;
  const undated = (arrived ?? []).reduce(
    (sum, { month, cash_cents }) => sum + (month === null ? cash_cents : 0n),
    0n,
  );
  const all = `${shownAmount(arrivedIn(shown) ?? 0n, row.currency)} came back`;
  return undated === 0n ? all : `${all}, ${shownAmount(undated, row.currency)} without a date`;
}

function planSection(shown: ShownInitiative): Html {
  const { overview, money, links } = shown;
  const { plan, row } = money;
  const { as_of } = overview.moment;
  const months = ownMonths(shown);
  const { currency } = row;
  const own = arrivedInPlan(money);
  const isCompared = currency === 'USD' || own !== null;
  const noPlan = money.confirmed === false ? 'none confirmed' : 'no plan';
  const share = shareArrived(shown);
  const rate = runRate(months, as_of);
  const earlier = overview.series?.earlier;
  const paid_back = paidBackSince(months, earlier);
  const isBefore = isCovered(earlier) && paid_back === months[0]?.month;
  const break_even = plan?.break_even ?? null;
  const drawn = { months, plan: isCompared ? plan : null, arrived: own };
  const marks = { paid_back: isBefore ? null : paid_back, decided: decisionDays(money) };
  const chart = planChart({ ...drawn, moment: overview.moment, ...marks });
  const head = html`<div class="head">
    <h2 id="plan">Plan against actual</h2>
    ${chart === '' ? '' : planLegend(drawn)}
  </div>`;
  const last = plan?.months.at(-1);
  const all = overview.windows.get('all');
  return html`<section>
    ${head}
    <dl class="facts">
      <div>
        <dt>Due by now, by the business case</dt>
        <dd>
          ${plan === null ? noPlan : plan.due === null ? 'nothing yet' : shownAmount(plan.due.value_cents, currency)}
        </dd>
      </div>
      <div>
        <dt>Arrived, as a share</dt>
        <dd>
          ${share === null ? 'none' : shownShare(share)}
          ${own === null ? '' : html`<span class="quiet">${cameBack(shown)}</span>`}
        </dd>
      </div>
      <div>
        <dt>Run rate of the last three full months</dt>
        <dd>${rate === null ? 'fewer than three months' : `${shownDollars(rate)} a month`}</dd>
      </div>
      <div>
        <dt>Paid back</dt>
        <dd>
          ${paid_back === null ? 'not yet' : `${isBefore ? 'before ' : ''}${shownMonth(paid_back)}`}
          ${break_even === null ? '' : html`<span class="quiet">planned ${shownMonth(break_even)}</span>`}
        </dd>
      </div>
      <div>
        <dt>The whole plan</dt>
        <dd>
          ${last === undefined ? noPlan : shownAmount(last.value_cents, currency)}
          ${last === undefined ? '' : html`<span class="quiet">by ${shownMonth(last.month)}</span>`}
        </dd>
      </div>
    </dl>
    ${planNote(money)}
    ${
      months.length === 0 && plan === null
        ? html`<p class="quiet">Neither an amount with a date by now nor a plan with a start is recorded.</p>`
        : html`${chart === '' ? '' : html`<figure>${chart}</figure>`}
          ${hasCash(drawn) || (all?.cash_value ?? 0n) !== 0n ? '' : html`<p class="quiet">No cash value has come back yet.</p>`}
          ${chartNote(notInChart(months, all, overview.series ?? undefined), overview.unsettled.undated)}
          ${monthTable(money, links, months)}`
    }
  </section>`;
}
