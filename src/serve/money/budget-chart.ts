/** The budget and the amounts spent, day by day compared; a ring where another version comes into effect. */
import { html } from 'hono/html';
import { scaleLinear } from 'd3-scale';
import { shownDay, shownAmount } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { axisAmount, dollars, pointPlaces, round, scaleOf } from './chart-parts.ts';
import type { InitiativeMoney } from './initiative.ts';

/** Measures in pixels, for half a wide page and for a narrow one; the style shows one drawing. */
const SHAPES = [
  { name: 'small', width: 520, left: 64, right: 12 },
  { name: 'narrow', width: 358, left: 58, right: 8 },
] as const;
const PANEL = { top: 26, height: 130 };
const HEIGHT = 186;
const TICKS = 3;

interface Compared {
  readonly as_of: string;
  readonly version: string;
  readonly budget: bigint;
  readonly spent: bigint;
}

/** What the chart reads of each comparison. */
type Drawn = readonly Pick<
  InitiativeMoney['comparisons'][number],
  'as_of' | 'budget_id' | 'currency' | 'budget_to_date_cents' | 'actual_to_date_cents'
>[];

/** True if there are two days to draw, in one currency, and an amount that is not zero. */
export function hasBudgetChart(comparisons: Drawn): boolean {
  return (
    comparisons.length > 1 &&
    new Set(comparisons.map((row) => row.currency)).size === 1 &&
    comparisons.some((row) => row.budget_to_date_cents !== 0n || row.actual_to_date_cents !== 0n)
  );
}

/** The drawings, and the table behind them; nothing if there is nothing to draw. */
export function budgetChart(comparisons: Drawn): Html | '' {
  const currency = comparisons[0]?.currency ?? 'USD';
  if (!hasBudgetChart(comparisons)) return '';
  const days = comparisons.map((row) => ({
    as_of: row.as_of,
    version: String(row.budget_id),
    budget: row.budget_to_date_cents,
    spent: row.actual_to_date_cents,
  }));
  return html`<figure>${SHAPES.map((shape) => drawing(shape, days, currency))}</figure>
    <details>
      <summary>The table behind this chart</summary>
      <table class="months">
        <thead>
          <tr>
            <th scope="col">Compared on</th>
            <th scope="col">Version</th>
            <th scope="col" class="r">Budget to date</th>
            <th scope="col" class="r">Spent to date</th>
          </tr>
        </thead>
        <tbody>
          ${days.map(
            ({ as_of, version, budget, spent }) =>
              html`<tr data-point>
                <th scope="row">${shownDay(as_of)}</th>
                <td data-column="Version">${version}</td>
                <td class="r" data-column="Budget to date">${shownAmount(budget, currency)}</td>
                <td class="r" data-column="Spent to date">${shownAmount(spent, currency)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
}

function drawing(shape: (typeof SHAPES)[number], days: readonly Compared[], currency: string): Html {
  const [first, last] = [days[0]?.as_of ?? '', days.at(-1)?.as_of ?? ''];
  const x = scaleLinear([Date.parse(first), Date.parse(last)], [shape.left, shape.width - shape.right]);
  const at = ({ as_of }: Compared): number => round(x(Date.parse(as_of)));
  const levels = days.flatMap(({ budget, spent }) => [dollars(budget), dollars(spent)]);
  const y = scaleOf([Math.min(0, ...levels), Math.max(0, ...levels)], PANEL);
  const line = (of: 'budget' | 'spent'): string =>
    `M${days.map((day) => `${at(day)} ${round(y(dollars(day[of])))}`).join('L')}`;
  const end = days.at(-1);
  const id = `budget-${shape.name}`;
  return html`<svg
    class="chart ${shape.name}"
    viewBox="0 0 ${shape.width} ${HEIGHT}"
    ${pointPlaces(shape, days.map(at))}
    role="img"
    aria-labelledby="${id}-title ${id}-text"
  >
    <title id="${id}-title">Budget to date and spent to date</title>
    <desc id="${id}-text">From ${first} to ${last}. The table below says the same.</desc>
    ${y.ticks(TICKS).map((value) => {
      const level = round(y(value));
      const words = axisAmount(value, currency);
      return html`<path
          class="${value === 0 ? 'zero' : 'grid'}"
          d="M${shape.left} ${level}H${shape.width - shape.right}"
        />
        <text class="end" x="${shape.left - 8}" y="${level + 4}">${words}</text>`;
    })}
    ${currency === 'USD' ? '' : html`<text x="${shape.left}" y="12">in ${currency}</text>`}
    <path class="planned" d="${line('budget')}" />
    <path class="spent" d="${line('spent')}" />
    ${days
      .filter(({ version }, index) => days[index - 1]?.version !== version)
      .map(
        (day) =>
          html`<circle class="ring" cx="${at(day)}" cy="${round(y(dollars(day.budget)))}" r="4" />
            <text
              class="${at(day) > shape.width / 2 ? 'end' : ''}"
              x="${at(day)}"
              y="${round(y(dollars(day.budget))) - 9}"
              >${day.version}</text
            >`,
      )}
    ${end === undefined ? '' : html`<circle class="spent-dot" cx="${at(end)}" cy="${round(y(dollars(end.spent)))}" r="3.5" />`}
    <text x="${shape.left}" y="${HEIGHT - 8}">${first}</text>
    <text class="end" x="${shape.width - shape.right}" y="${HEIGHT - 8}">${last}</text>
  </svg>`;
}
