/** What stands beside a chart of months: the keys of its lines, why its last figure is not the one of all time, and which plan it has. */
import { html } from 'hono/html';
import { cashSoFar } from '../../figures/plan-path.ts';
import type { LeftOutOfScope } from '../../figures/unsettled.ts';
import { NO_ENTRIES } from '../../figures/window-change.ts';
import { shownDollars, shownAmount } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { hasNet } from './chart-parts.ts';
import type { InitiativeMoney } from './initiative.ts';
import { hasCash, type PlanChart } from './plan-chart.ts';

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
  { undated, earlier }: Readonly<Record<'undated' | 'earlier', Amounts>> = {
    undated: NOTHING,
    earlier: NOTHING,
  },
): NotInChart {
  // The running sums of a chart begin with the amounts before its first month.
  const shown = (of: keyof Amounts): bigint =>
    months.reduce((sum, month) => sum + month[of], undated[of] + earlier[of]);
  return {
    undated,
    later: {
      cost_cents: all.cost - shown('cost_cents'),
      cash_value_cents: all.cash_value - shown('cash_value_cents'),
    },
  };
}

/** The amounts that a chart does not have; nothing if it has all. `foreign` are those without a date and without dollars. */
export function chartNote({ undated, later }: NotInChart, foreign: LeftOutOfScope): Html | '' {
  const parts = [
    [undated, 'Without a date', foreignWords(foreign)],
    [later, 'Dated after the chart', ''],
  ] as const;
  const told = parts.filter(
    ([of, , more]) => of.cost_cents !== 0n || of.cash_value_cents !== 0n || more !== '',
  );
  if (told.length === 0) return '';
  return html`<p class="quiet">
    The chart has dated amounts only.
    ${told.map(([of, name, more]) => html`${name}: cost ${shownDollars(of.cost_cents)}, cash value ${shownDollars(of.cash_value_cents)}${more}. `)}
  </p>`;
}

function amountWords(cents: bigint, currency: string, of: string): readonly string[] {
  return cents === 0n ? [] : [`${shownAmount(cents, currency)} of ${of}`];
}

function foreignWords({ cost_left_out, value_left_out }: LeftOutOfScope): string {
  const parts = [
    ...cost_left_out.flatMap((each) => amountWords(each.amount_cents, each.currency, 'cost')),
    ...value_left_out.flatMap((each) => amountWords(each.amount_cents, each.currency, 'cash value')),
    ...value_left_out.flatMap((each) =>
      amountWords(each.capacity_amount_cents, each.currency, 'freed capacity'),
    ),
  ];
  return parts.length === 0 ? '' : `, and without a dollar figure ${parts.join(', ')}`;
}

/** The cash value so far in the currency of a plan that is not in dollars; null for a plan in dollars, or if it is not known. */
export function arrivedInPlan({ row: { currency }, arrived }: InitiativeMoney): PlanChart['arrived'] {
  return currency === 'USD' || arrived === null ? null : { currency, months: cashSoFar(arrived) };
}

/** Which plan makes no promise, and in which currency a plan is compared; nothing for a confirmed plan in dollars. */
export function planNote({ row, plan, confirmed, arrived }: InitiativeMoney): Html | '' {
  const amounts = [row.planned_value_cents, row.planned_capex_cents ?? 0n, row.planned_opex_cents ?? 0n];
  if (amounts.every((cents) => cents === 0n)) return '';
  if (confirmed === false) {
    return html`<p class="quiet">
      The service filled in a plan of ${shownAmount(row.planned_value_cents, row.currency)} and no person has
      confirmed it: it is no promise, and in no total.
    </p>`;
  }
  const notes = [
    ...(confirmed === undefined && plan !== null
      ? [
          'A plan that the service filled in is in no total until a person confirms it. This snapshot does not say whether one did.',
        ]
      : []),
    ...(row.currency === 'USD'
      ? []
      : arrived === null
        ? [`This snapshot has no cash value in ${row.currency}, so the plan is not compared.`]
        : [
            `The plan is compared in ${row.currency}: value in ${row.currency} counts as recorded, other value at the rate of its own period. The other figures are in US dollars.`,
          ]),
  ];
  return notes.length === 0 ? '' : html`<p class="quiet">${notes.join(' ')}</p>`;
}

/** The keys of what is drawn, and of nothing else. */
export function planLegend(chart: Pick<PlanChart, 'months' | 'plan'>): Html {
  const { plan } = chart;
  const hasPlan = plan !== null && (plan.break_even !== null || hasCash({ months: [], plan }));
  return html`<p class="legend">
    ${hasPlan ? html`<span class="key plan">Plan</span> ` : ''}
    ${hasCash(chart) && chart.months.length > 0 ? html`<span class="key value">Cash value arrived</span> ` : ''}
    ${hasNet(chart.months) ? html`<span class="key line">Net</span>` : ''}
  </p>`;
}
