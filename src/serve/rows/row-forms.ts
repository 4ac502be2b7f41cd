/** What narrows the view of a table's rows: its filters, its columns, and the heaviest values as links. */
import { shownAmount } from '../frame/shown-values.ts';
import { html } from 'hono/html';
import type { FacetSum } from '../../figures/row-totals.ts';
import { shownCount } from '../../format.ts';
import type { Column } from '../../tables/table.ts';
import type { Html } from '../frame/site-layout.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import { hasOwnCurrency, shownColumn, shownText, valueContent } from './row-cells.ts';
import { addressOf, columnNamed, isMonth, type RowQuery } from './row-query.ts';
import { here, type RefusedParameter, shownColumns, type ShownRows, type View } from './shown-rows.ts';
import { viewOf } from './table-views.ts';
import { WAYS_TO_COMPARE } from './typed-filter.ts';

/** The values of a column that are shown as facets. */
const FACET_VALUES = 5;

/**
 * The filters of the view, each with a link that removes it, and a form that adds one. Refused parameters stand beside the
 * form in words, and the first refused filter is in its fields.
 */
export function filterForm(
  shown: View & Partial<Pick<ShownRows, 'facets'>>,
  refused: readonly RefusedParameter[] = [],
): Html {
  const { table, query, columns } = shown;
  const [draft] = refused.flatMap((each) => draftOf(each, columns) ?? []);
  return html`<form class="filters" method="get" action="${table.name}">
    <fieldset>
      <legend>Filters: all must hold; of one column any value</legend>
      <ul>
        ${query.given.map(([name, value], index) => {
          const without = addressOf(query, { given: query.given.filter((_, each) => each !== index) });
          return html`<li>
            ${filterWords(name, value, shown)}
            <a href="${here(shown, without)}" aria-label="Remove the filter ${wordsOf(name, columns)}">×</a>
          </li>`;
        })}
        ${query.given.length === 0 ? html`<li class="quiet">none: every row is shown</li>` : ''}
      </ul>
      <div class="add">
        ${keptInputs(query)}
        <select name="add_column" aria-label="Column of the new filter">
          ${columnGroups(shown).map(([label, group]) => html`<optgroup label="${label}">${group.map((column) => html`<option value="${column.name}" ${selected(draft?.column === column.name)}>${shownColumn(column)}</option>`)}</optgroup>`)}
        </select>
        <select name="add_how" aria-label="How to compare">
          ${Object.entries(WAYS_TO_COMPARE).map(([how, words]) => html`<option value="${how}" ${selected(draft?.how === how)}>${words}</option>`)}
        </select>
        <input
          name="add_value"
          value="${draft?.value ?? ''}"
          aria-label="Value of the new filter"
          aria-describedby="${refused.length === 0 ? 'units' : 'refused units'}"
          placeholder="value"
          autocomplete="off"
          list="known"
        />
        <datalist id="known">
          ${knownValues(shown).map(([column, value]) => html`<option value="${value}" data-column="${column.name}">${shownColumn(column)}</option>`)}
        </datalist>
        <button>Add</button>
        <p id="units">
          ${unitsOf(columns)} <a href="../../../docs/rows">How to filter, sort and download</a>
        </p>
        ${refused.length === 0 ? '' : html`<p id="refused" role="alert">${refused.map(({ message }) => html`${message} `)}</p>`}
      </div>
    </fieldset>
  </form>`;
}

/** What a form keeps of the view. */
function keptInputs(query: RowQuery): readonly Html[] {
  const kept = new URLSearchParams(addressOf(query));
  return [...kept].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
}

/** The form that orders the rows, for narrow screens, where cards have no heads to sort by. */
export function orderForm({ table, query, columns }: View): Html {
  const chosen = shownColumns(query, table, columns);
  const { sort } = query;
  const offered = sort === null || chosen.includes(sort.column) ? chosen : [sort.column, ...chosen];
  return html`<form class="order" method="get" action="${table.name}">
    ${keptInputs({ ...query, sort: null })}
    <label
      >Order
      <select name="sort">
        <option value="">as in the file</option>
        ${offered.map((column) =>
          [false, true].map(
            (descending) =>
              html`<option
                value="${descending ? '-' : ''}${column.name}"
                ${selected(sort?.column === column && sort.descending === descending)}
              >
                ${shownColumn(column)}, ${descending ? 'descending' : 'ascending'}
              </option>`,
          ),
        )}
      </select></label
    >
    <button>Sort</button>
  </form>`;
}

/** The filters in words, for paper, which has no form; nothing without a filter. */
export function filtersOnPaper(shown: View): Html | '' {
  const { given } = shown.query;
  if (given.length === 0) return '';
  return html`<p class="on-paper">
    Only rows with
    ${given.map(([name, value], index) => html`${index === 0 ? '' : '; '}${filterWords(name, value, shown)}`)}.
  </p>`;
}

/** The columns to filter by; the columns of the view come first, because readers filter what they see. */
function columnGroups({ query, table, columns }: View): readonly (readonly [string, readonly Column[]])[] {
  const chosen = shownColumns(query, table, columns);
  const other = columns.filter((column) => !chosen.includes(column));
  const groups = [
    ['Shown columns', chosen],
    ['Other columns', other],
  ] as const;
  return groups.filter(([, group]) => group.length > 0);
}

function selected(chosen: boolean): string {
  return chosen ? 'selected' : '';
}

/** A refused filter in the fields of the form; null for a parameter that is no filter of a column. */
function draftOf({ name, value, how }: RefusedParameter, columns: readonly Column[]) {
  const named = columnNamed(name, columns);
  return named === undefined ? null : { column: named.column.name, how: how ?? named.end ?? 'is', value };
}

/** How values are written in a filter: as the table shows them. */
function unitsOf(columns: readonly Column[]): string {
  return [
    'Write a value as the table shows it',
    ...(columns.some(({ kind }) => kind === 'cents') ? ['amounts as 1,250.00'] : []),
    ...(columns.some(isMonth) ? ['months as Apr 2026'] : []),
  ]
    .join(', ')
    .concat('.');
}

/** A page has this many names and values of a column to choose from; people may write any other. */
const KNOWN_VALUES = 200;

/** Values that the table has, and the column of each. */
function knownValues(
  shown: View & Partial<Pick<ShownRows, 'facets'>>,
): readonly (readonly [Column, string])[] {
  const { columns, idNames, facets } = shown;
  return columns.flatMap((column) => {
    const found = (facets?.get(column.name) ?? []).map(({ value }) => shownText(column, value, idNames));
    const named =
      column.references === 'initiatives' ? [...idNames.initiatives.values()] : (column.values ?? found);
    const known = column.kind === 'boolean' ? ['yes', 'no'] : named;
    return [...new Set(known)].slice(0, KNOWN_VALUES).map((value) => [column, value] as const);
  });
}

/** The name of a parameter in words: that of its column, and how it compares. */
export function wordsOf(name: string, columns: readonly Column[]): string {
  const named = columnNamed(name, columns);
  if (named === undefined) return name;
  const { column, end } = named;
  return end === null ? shownColumn(column) : `${shownColumn(column)} ${WAYS_TO_COMPARE[end]}`;
}

/** The filter in the words of the form, with its value as the table shows it. */
function filterWords(name: string, text: string, { columns, idNames, query: { filters } }: View): Html {
  const named = columnNamed(name, columns);
  if (named === undefined) return html`<b>${name}</b> ${text}`;
  const { column, end } = named;
  const label = html`<b title="${column.name}">${shownColumn(column)}</b>`;
  if (text === '') return html`${label} ${end === 'not' ? WAYS_TO_COMPARE.filled : WAYS_TO_COMPARE.empty}`;
  const filter = filters.find((each) => each.column === column);
  const values = [...(filter?.values ?? []), ...(filter?.not ?? []), filter?.from, filter?.through];
  const value = values.find((each) => String(each) === text);
  return html`${label} ${WAYS_TO_COMPARE[end ?? 'is']}
  ${end === 'contains' ? `“${text}”` : shownValue(column, value ?? text, { columns, idNames })}`;
}

/** A value of a filter as the cells of its column show it; in the currency of each row without a sign. */
function shownValue(
  column: Column,
  value: FieldValue,
  { columns, idNames }: Pick<View, 'columns' | 'idNames'>,
): Html | string {
  if (isMonth(column)) return shownText(column, `${String(value).slice(0, 7)}-01`, idNames);
  if (hasOwnCurrency(column, columns)) return shownText(column, value, idNames).replace('$', '');
  return valueContent(column, value, idNames);
}

export function columnForm(shown: View): Html {
  const { table, query, columns } = shown;
  const chosen = shownColumns(query, table, columns);
  return html`<details class="columns">
    <summary>Columns: ${chosen.length} of ${columns.length} shown</summary>
    <form method="get" action="${table.name}">
      ${keptInputs({ ...query, columns: null })}
      <div class="choices">
        ${columns.map(
          (column) =>
            html`<label
              ><input
                type="checkbox"
                name="show_column"
                value="${column.name}"
                ${chosen.includes(column) ? 'checked' : ''}
              />
              <span title="${column.name}">${shownColumn(column)}</span></label
            >`,
        )}
      </div>
      <button>Show these columns</button>
      <a href="${here(shown, addressOf(query, { columns: columns.map(({ name }) => name) }))}"
        >Show all columns</a
      >
    </form>
  </details>`;
}

/** The heaviest values of a few columns, as links that filter. */
export function facetLists(shown: ShownRows): Html | '' {
  const { facets, columns, query, count } = shown;
  const lists = [...facets].flatMap(([name, sums]) => {
    const column = columns.find((each) => each.name === name);
    return column === undefined || sums.length < 2 ? [] : [facetList(shown, column, sums)];
  });
  if (lists.length === 0 || count === 0) return '';
  return html`<details class="facets" ${query.page === 1 ? 'open' : ''}>
    <summary>Where the money sits in these rows</summary>
    ${lists.length < 2 ? '' : html`<label class="fold"><input type="checkbox" /> Show all ${lists.length} lists</label>`}
    <div class="lists">${lists}</div>
  </details>`;
}

function facetList(shown: ShownRows, column: Column, sums: readonly FacetSum[]): Html {
  const { query, idNames, totals, table } = shown;
  // The amounts of a facet are added only where all rows of the view have one currency.
  const currency = totals.find((total) => total.column === viewOf(table).amount)?.currency ?? null;
  const rest = sums.length - FACET_VALUES;
  return html`<div>
    <h2>${shownColumn(column)}</h2>
    <ul>
      ${sums.slice(0, FACET_VALUES).map(({ value, rows, cents }) => {
        const given = [
          ...query.given.filter(([name]) => name !== column.name),
          [column.name, String(value ?? '')] as const,
        ];
        return html`<li>
          <a href="${here(shown, addressOf(query, { given }))}">${shownText(column, value, idNames)}</a>
          <span class="quiet">${shownCount(rows)}</span>
          <span class="r">${cents === null ? '' : shownAmount(cents, currency)}</span>
        </li>`;
      })}
      ${rest > 0 ? html`<li class="quiet">and ${shownCount(rest)} more</li>` : ''}
    </ul>
  </div>`;
}
