/** The page of budgets: each initiative's newest comparison of its budget with what was spent. */
import { html } from 'hono/html';
import { CrossfootError } from '../../errors.ts';
import { shownCount } from '../../format.ts';
import { defineFigures, defineListFile, type FiguresParts } from './figures-page.ts';
import { shownDay, shownAmount } from '../frame/shown-values.ts';
import { inSteps } from '../site/in-steps.ts';
import type { Html } from '../frame/site-layout.ts';
import { type Comparison, type Comparisons, isOver } from './budget-lines.ts';
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import { notSpentWords, overOf, overWords, restWords } from './budget-words.ts';
import { initiativeAddress } from './initiatives-page.ts';
import { foldBox } from './fold.ts';
import {
  foundName,
  hasWords,
  linesOfPage,
  linesPager,
  listDownload,
  readSearch,
  type Search,
  SEARCH_PARAMETERS,
  searchForm,
  sumName,
} from './found-lines.ts';
import type { DescribedSnapshot, InitiativeName } from './overview.ts';
import { ownerWords } from './ranking.ts';
import type { RowLinks } from './row-links.ts';

const WIDTH = 100;
/** A budget of an initiative that the snapshot does not list. */
const UNNAMED = { title: null, owner: null, department: null };

interface Parts extends FiguresParts {
  readonly comparisons: Comparisons;
}

interface Budgets {
  readonly described: DescribedSnapshot;
  readonly rows: readonly Comparison[];
  readonly links: RowLinks;
  readonly search: Search;
  readonly onlyOver: boolean;
}

/** The comparisons whose initiative the search finds. */
function foundBudgets(
  rows: readonly Comparison[],
  named: ReadonlyMap<bigint, InitiativeName>,
  { words }: Search,
): readonly Comparison[] {
  if (words === '') return rows;
  return rows.filter(({ initiative_id: id }) => {
    const { title, owner, department } = named.get(id) ?? UNNAMED;
    return hasWords(words, [title, owner, department]);
  });
}

function budgetsBody({ described, rows, links, search, onlyOver }: Budgets): Html {
  const named = new Map(described.initiatives.map((each) => [each.id, each]));
  const pageOf = initiativeAddress('', described);
  const found = foundBudgets(rows, named, search);
  const over = found.filter(isOver);
  const shown = onlyOver ? over : found;
  const { snapshot_id, left_out } = described.snapshot;
  const reasons = left_out?.reasons;
  const kept = { snapshot: snapshot_id, ...(onlyOver ? { state: 'over' } : {}) };
  const list = { path: 'budgets', what: 'budgets', kept, search };
  const tab = (name: string, state: string | null): Html => {
    const address = new URLSearchParams({
      snapshot: snapshot_id,
      ...(state === null ? {} : { state }),
      ...(search.words === '' ? {} : { q: search.words }),
    });
    return html`<a
      href="budgets?${address.toString()}"
      ${onlyOver === (state === 'over') ? html`aria-current="true"` : ''}
      >${name}</a
    > `;
  };
  const [first] = rows;
  const day = dayOf(rows);
  return html`<h1>Budgets</h1>
    <p class="lead">
      ${
        first === undefined
          ? 'No approved budget is or was in effect in this snapshot.'
          : html`What was budgeted and spent by ${day === null ? 'the day compared on' : shownDay(day)};
            budgets that are over come first. A budget is over if its one-time cost or its running cost is
            above what was approved, even if the other is below.`
      }
    </p>
    ${
      first === undefined
        ? html`<p class="note">
            A budget counts from its approval on. <a href="docs/budgets">How budgets are compared</a>
          </p>`
        : html`${searchForm({ ...list, found: found.length, all: rows.length })}
            ${onlyOver ? html`<p class="on-paper">Only budgets that are over.</p>` : ''}
            <nav class="tabs" aria-label="State">
              ${tab(`All ${shownCount(found.length)}`, null)}
              ${tab(`Over: ${shownCount(over.length)}`, 'over')}
            </nav>
            ${shown.length > 0 ? budgetsTable({ shown, named, pageOf, links, search, day, reasons }) : ''}
            ${shown.length === 0 && found.length > 0 ? html`<p>No budget here is over.</p>` : ''}
            ${linesPager({ ...list, found: shown.length, all: rows.length })}
            ${listDownload({ ...list, found: shown.length, all: rows.length })}`
    }
    <p>
      <a href="${links.table('budget_vs_actual')}">Every day compared</a>,
      <a href="${links.table('budgets')}">every version of every budget</a>.
      ${rows.some(({ ended_on = null }) => ended_on !== null) ? 'Ended budgets are compared here only: the table has no row of them on this day.' : ''}
    </p>`;
}

/** The day of all comparisons, which the page names once; null if they have several days. */
function dayOf(rows: readonly Comparison[]): string | null {
  const days = new Set(rows.map(({ as_of }) => as_of));
  return days.size === 1 ? (rows[0]?.as_of ?? null) : null;
}

interface ShownTable extends Pick<Budgets, 'links' | 'search'> {
  /** On every page of the list. */
  readonly shown: readonly Comparison[];
  readonly named: ReadonlyMap<bigint, InitiativeName>;
  readonly pageOf: (id: bigint) => string;
  /** The day of all comparisons; null if each line names its own. */
  readonly day: string | null;
  /** Why the snapshot leaves amounts out. */
  readonly reasons: readonly LeftOutReason[] | undefined;
}

function budgetsTable(table: ShownTable): Html {
  const { shown, search, day } = table;
  const lines = linesOfPage(shown, search);
  return html`${foldBox(lines.length, 'budgets')}
    <table class="ranking budgets">
      <thead>
        <tr>
          <th scope="col">Initiative</th>
          <th scope="col">Spent of the budget</th>
          <th scope="col" class="r">Budget to date</th>
          <th scope="col" class="r"><span class="key cost">Spent to date</span></th>
          <th scope="col" class="r">Over or under</th>
          <th scope="col">State</th>
          ${day === null ? html`<th scope="col">Compared on</th>` : ''}
        </tr>
      </thead>
      <tbody>
        ${inSteps(lines, (row) => line(row, table))} ${shown.length > 1 ? sumLines(shown, search, day) : ''}
      </tbody>
    </table>`;
}

function line(
  row: Comparison,
  { named, pageOf, links, day, reasons }: Omit<ShownTable, 'shown' | 'search'>,
): Html {
  const { initiative_id: id, currency, budget_to_date_cents: budget, actual_to_date_cents: spent } = row;
  const most = Math.max(Number(budget), Number(spent), 1);
  const width = (cents: bigint): string => (Math.max(Number(cents) / most, 0) * WIDTH).toFixed(1);
  const initiative = named.get(id);
  const ended_on = row.ended_on ?? null;
  const behind = links.table('budget_vs_actual', [
    ['initiative_id', String(id)],
    ['as_of', row.as_of],
  ]);
  const without = notSpentWords(row.left_out ?? [], currency, reasons);
  // A budget that has ended has no row of this day in the table.
  const linked = (amount: string): Html | string =>
    ended_on === null ? html`<a href="${behind}">${amount}</a>` : amount;
  return html`<tr>
    <th scope="row">
      <a href="${pageOf(id)}">${initiative?.title ?? String(id)}</a>
      ${initiative === undefined ? '' : html`<span class="quiet">${ownerWords(initiative)}</span>`}
    </th>
    <td class="bar">
      <svg viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-cost" width="${width(spent)}" height="8" y="2" />
        <path class="budget-end" d="M${width(budget)} 0V12" />
      </svg>
    </td>
    <td class="r" data-column="Budget to date">${linked(shownAmount(budget, currency))}</td>
    <td class="r" data-column="Spent to date">
      ${linked(shownAmount(spent, currency))}
      ${without === '' ? '' : html`<span class="quiet">without <a href="${links.costs({ initiative_id: id, left_out: true })}">${without}</a></span>`}
    </td>
    <td class="r net" data-column="Over or under">${restWords(row.variance_cents, currency)}</td>
    <td data-column="State">
      ${isOver(row) ? html`<strong class="bad">over:</strong> ${overWords(row)}` : row.status}${ended_on === null ? '' : html`; ended ${shownDay(ended_on)}`}
    </td>
    ${day === null ? html`<td data-column="Compared on">${shownDay(row.as_of)}</td>` : ''}
  </tr>`;
}

/** A line of sums for each currency: amounts of two currencies are never added up. */
function sumLines(rows: readonly Comparison[], search: Search, day: ShownTable['day']): readonly Html[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const sum = (column: 'budget_to_date_cents' | 'actual_to_date_cents' | 'variance_cents'): bigint =>
      own.reduce((total, row) => total + row[column], 0n);
    const name = sumName(search, own.length, own.length === 1 ? 'budget' : 'budgets');
    return html`<tr class="sum">
      <th scope="row">${currencies.length === 1 ? name : `${name} in ${currency}`}</th>
      <td class="bar"></td>
      <td class="r" data-column="Budget to date">${shownAmount(sum('budget_to_date_cents'), currency)}</td>
      <td class="r" data-column="Spent to date">${shownAmount(sum('actual_to_date_cents'), currency)}</td>
      <td class="r net" data-column="Over or under">${restWords(sum('variance_cents'), currency)}</td>
      <td data-column="State">${shownCount(own.filter(isOver).length)} over</td>
      ${day === null ? html`<td data-column="Compared on"></td>` : ''}
    </tr>`;
  });
}

export const budgetsPage = defineFigures({
  path: '/budgets',
  title: 'Budgets',
  amounts: 'each budget in its own currency',
  here: 'budgets',
  query: ['snapshot', 'state', ...SEARCH_PARAMETERS],
  says: 'Each budget against what was spent; `state=over` shows those that are over, `q` finds words of titles, owners and departments.',
  content:
    ({ comparisons }: Parts) =>
    ({ c }) => {
      const asked = readBudgetsQuery(c.req.query());
      return async ({ described, files, links }) => ({
        body: budgetsBody({ described, rows: await comparisons(files), links, ...asked }),
      });
    },
});

function readBudgetsQuery(given: Readonly<Record<string, string>>): Pick<Budgets, 'search' | 'onlyOver'> {
  const { state } = given;
  if (state === undefined || state === 'over')
    return { search: readSearch(given), onlyOver: state === 'over' };
  throw new CrossfootError('parameter_refused', 'The parameter state must be over, or left out.');
}

export const budgetsFile = defineListFile({
  path: '/budgets.csv',
  query: ['snapshot', 'state', 'q'],
  says: 'The list of that page as CSV for spreadsheets, with every line that `q` finds.',
  content:
    ({ comparisons }: Parts) =>
    ({ c }) => {
      const { search, onlyOver } = readBudgetsQuery(c.req.query());
      return async ({ described, files }) => {
        const named = new Map(described.initiatives.map((each) => [each.id, each]));
        const found = foundBudgets(await comparisons(files), named, search);
        return {
          name: `budgets${foundName(search)}${onlyOver ? '-over' : ''}`,
          heads: [
            'Initiative id',
            'Initiative',
            'Owner',
            'Department',
            'Currency',
            'Budget to date',
            'Spent to date',
            'Rest of the budget',
            'One-time cost over by',
            'Running cost over by',
            'State',
            'Ended on',
            'Compared on',
          ],
          lines: (onlyOver ? found.filter(isOver) : found).map((row) => {
            const { title, owner, department } = named.get(row.initiative_id) ?? UNNAMED;
            const { capex_cents, opex_cents } = overOf(row);
            return [
              String(row.initiative_id),
              title,
              owner,
              department,
              row.currency,
              row.budget_to_date_cents,
              row.actual_to_date_cents,
              row.variance_cents,
              capex_cents === 0n ? null : capex_cents,
              opex_cents === 0n ? null : opex_cents,
              row.status,
              row.ended_on ?? null,
              row.as_of,
            ];
          }),
        };
      };
    },
});
