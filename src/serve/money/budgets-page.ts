/** The page of budgets: each initiative's newest comparison of its budget with what was spent. */
import { html } from 'hono/html';
import { overspent } from '../../figures/budget.ts';
import { defineFigures } from './figures-page.ts';
import { type FrozenRow, frozenRows, type SnapshotFiles } from '../live/snapshot-files.ts';
import { shownAmount } from '../rows/row-cells.ts';
import { inSteps } from '../site/in-steps.ts';
import type { Html } from '../frame/site-layout.ts';
import { initiativeAddress } from './initiatives-page.ts';
import type { Overview } from './overview.ts';
import type { RowLinks } from './row-links.ts';

const COLUMNS = [
  'initiative_id',
  'as_of',
  'status',
  'capex_budget_cents',
  'capex_actual_cents',
  'opex_budget_to_date_cents',
  'opex_actual_cents',
  'budget_to_date_cents',
  'actual_to_date_cents',
  'variance_cents',
  'currency',
] as const;
const WIDTH = 100;

type Comparison = FrozenRow<'budget_vs_actual', typeof COLUMNS>;

/** The newest comparison of each initiative: budgets that are over first, then by currency, the furthest over first. */
async function newestComparisons(files: SnapshotFiles): Promise<readonly Comparison[]> {
  const newest = new Map<bigint, Comparison>();
  for await (const row of frozenRows(await files.table('budget_vs_actual'), COLUMNS)) {
    const known = newest.get(row.initiative_id);
    if (known === undefined || row.as_of > known.as_of) newest.set(row.initiative_id, row);
  }
  return [...newest.values()].toSorted((a, b) => {
    if (isOver(a) !== isOver(b)) return isOver(a) ? -1 : 1;
    if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
    return a.variance_cents === b.variance_cents ? 0 : a.variance_cents < b.variance_cents ? -1 : 1;
  });
}

function isOver({ status }: Comparison): boolean {
  return status === 'over';
}

function budgetsBody(overview: Overview, rows: readonly Comparison[], links: RowLinks): Html {
  const titles = new Map(overview.initiatives.map(({ id, title }) => [id, title]));
  const pageOf = initiativeAddress('', overview);
  const [first] = rows;
  return html`<h1>Budgets</h1>
    <p class="lead">
      ${
        first === undefined
          ? 'No approved budget is or was in effect in this snapshot.'
          : 'What was budgeted and spent by the day compared on; budgets that are over come first. A budget is over if its one-time cost or its running cost is above what was approved, even if the other is below.'
      }
    </p>
    ${
      first === undefined
        ? html`<p class="note">
            A budget counts from its approval on. <a href="docs/budgets">How budgets are compared</a>
          </p>`
        : html`<table class="ranking budgets">
            <thead>
              <tr>
                <th scope="col">Initiative</th>
                <th scope="col">Spent of the budget</th>
                <th scope="col" class="r">Budget to date</th>
                <th scope="col" class="r"><span class="key cost">Spent to date</span></th>
                <th scope="col" class="r">Over or under</th>
                <th scope="col">State</th>
                <th scope="col">Compared on</th>
              </tr>
            </thead>
            <tbody>
              ${inSteps(rows, (row) => line(row, titles, pageOf, links))}
            </tbody>
          </table>`
    }
    <p>
      <a href="${links.table('budget_vs_actual')}">Every day compared</a>,
      <a href="${links.table('budgets')}">every version of every budget</a>
    </p>`;
}

function line(
  row: Comparison,
  titles: ReadonlyMap<bigint, string>,
  pageOf: (id: bigint) => string,
  links: RowLinks,
): Html {
  const { initiative_id: id, currency, budget_to_date_cents: budget, actual_to_date_cents: spent } = row;
  const rest = row.variance_cents;
  const most = Math.max(Number(budget), Number(spent), 1);
  const width = (cents: bigint): string => (Math.max(Number(cents) / most, 0) * WIDTH).toFixed(1);
  const words =
    rest === 0n
      ? 'on budget'
      : `${shownAmount(rest < 0n ? -rest : rest, currency)} ${rest > 0n ? 'under' : 'over'}`;
  const behind = links.table('budget_vs_actual', [
    ['initiative_id', String(id)],
    ['as_of', row.as_of],
  ]);
  return html`<tr>
    <th scope="row"><a href="${pageOf(id)}">${titles.get(id) ?? String(id)}</a></th>
    <td class="bar">
      <svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-cost" width="${width(spent)}" height="8" y="2" />
        <path class="budget-end" d="M${width(budget)} 0V12" />
      </svg>
    </td>
    <td class="r" data-column="Budget to date"><a href="${behind}">${shownAmount(budget, currency)}</a></td>
    <td class="r" data-column="Spent to date"><a href="${behind}">${shownAmount(spent, currency)}</a></td>
    <td class="r net">${words}</td>
    <td data-column="State">
      ${isOver(row) ? html`<strong class="bad">over:</strong> ${overWords(row)}` : row.status}
    </td>
    <td data-column="Compared on">${row.as_of}</td>
  </tr>`;
}

/** By how much each part is over: `one-time cost by $200.00`. */
function overWords({ currency, ...row }: Comparison): string {
  const { capex_cents, opex_cents } = overspent(
    { capex_cents: row.capex_budget_cents, opex_cents: row.opex_budget_to_date_cents },
    { capex_cents: row.capex_actual_cents, opex_cents: row.opex_actual_cents },
  );
  return [
    ...(capex_cents > 0n ? [`one-time cost by ${shownAmount(capex_cents, currency)}`] : []),
    ...(opex_cents > 0n ? [`running cost by ${shownAmount(opex_cents, currency)}`] : []),
  ].join(', ');
}

export const budgetsPage = defineFigures({
  path: '/budgets',
  title: 'Budgets',
  here: 'budgets',
  query: ['snapshot'],
  says: 'Each budget against what was spent.',
  content:
    () =>
    () =>
    async ({ overview, files, links }) => ({
      body: budgetsBody(overview, await newestComparisons(files), links),
    }),
});
