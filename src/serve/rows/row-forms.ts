/** What narrows the view of a table's rows: its filters, its columns, and the heaviest values as links. */
import { html } from 'hono/html';
import type { FacetSum } from '../../figures/row-totals.ts';
import { shownCount } from '../../format.ts';
import type { Column } from '../../tables/table.ts';
import type { Html } from '../site/site-layout.ts';
import { shownAmount, shownColumn, shownText, type Titles } from './row-cells.ts';
import { addressOf, type ColumnFilter, isOrdered } from './row-query.ts';
import { here, shownColumns, type ShownRows } from './shown-rows.ts';

/** The values of a column that are shown as facets. */
const FACET_VALUES = 5;

/** The filters of the view, each with a link that removes it, and a form that adds one. */
export function filterForm(shown: ShownRows): Html {
  const { table, query, titles } = shown;
  const kept = query.given.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form class="filters" method="get" action="${table.name}">
    <fieldset>
      <legend>Filters: all must hold</legend>
      <ul>
        ${query.given.map(([name, value], place) => {
          const without = addressOf(query, { given: query.given.filter((_, each) => each !== place) });
          const words = filterWords(name, value, query.filters, titles);
          return html`<li>
            ${words}
            <a href="${here(shown, without)}" aria-label="Remove the filter ${name}">×</a>
          </li>`;
        })}
        ${query.given.length === 0 ? html`<li class="quiet">none: every row is shown</li>` : ''}
      </ul>
      <div class="add">
        ${kept}
        ${query.sort === null ? '' : html`<input type="hidden" name="sort" value="${query.sort.descending ? '-' : ''}${query.sort.column.name}" />`}
        ${query.columns === null ? '' : html`<input type="hidden" name="columns" value="${query.columns.join(',')}" />`}
        <select name="add_column" aria-label="Column of the new filter">
          ${columnGroups(shown).map(([label, group]) => html`<optgroup label="${label}">${group.map(({ name }) => html`<option>${name}</option>`)}</optgroup>`)}
        </select>
        <select name="add_how" aria-label="How to compare">
          <option value="is">is</option>
          <option value="from">from</option>
          <option value="through">through</option>
          <option value="empty">is empty</option>
        </select>
        <input name="add_value" aria-label="Value of the new filter" placeholder="value" autocomplete="off" />
        <button>Add</button>
      </div>
    </fieldset>
  </form>`;
}

/** The columns to filter by; the columns of the view come first, because readers filter what they see. */
function columnGroups({
  query,
  table,
  columns,
}: ShownRows): readonly (readonly [string, readonly Column[]])[] {
  const chosen = shownColumns(query, table, columns);
  const other = columns.filter((column) => !chosen.includes(column));
  const groups = [
    ['Shown columns', chosen],
    ['Other columns', other],
  ] as const;
  return groups.filter(([, group]) => group.length > 0);
}

function filterWords(name: string, text: string, filters: readonly ColumnFilter[], titles: Titles): Html {
  const same = filters.find(({ column }) => column.name === name);
  if (same !== undefined) {
    if (text === '') return html`<b>${name}</b> is empty`;
    const value = [...same.values].find((each) => String(each) === text) ?? text;
    const words = same.column.references === 'initiatives' ? shownText(same.column, value, titles) : text;
    return html`<b>${name}</b> is ${words}`;
  }
  const ending = name.endsWith('_from') ? '_from' : '_through';
  return html`<b>${name.slice(0, -ending.length)}</b> ${ending.slice(1)} ${text}`;
}

export function columnForm(shown: ShownRows): Html {
  const { table, query, columns } = shown;
  const chosen = shownColumns(query, table, columns);
  return html`<details class="columns">
    <summary>Columns: ${chosen.length} of ${columns.length} shown</summary>
    <form method="get" action="${table.name}">
      ${query.given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      ${query.sort === null ? '' : html`<input type="hidden" name="sort" value="${query.sort.descending ? '-' : ''}${query.sort.column.name}" />`}
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
              ${column.name}</label
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
  const { query, titles } = shown;
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
          <a href="${here(shown, addressOf(query, { given }))}" data-filter="${column.name}"
            >${shownText(column, value, titles)}</a
          >
          <span class="quiet">${shownCount(rows)}</span>
          <span class="r">${cents === null ? '' : shownAmount(cents, null)}</span>
        </li>`;
      })}
      ${rest > 0 ? html`<li class="quiet">and ${shownCount(rest)} more</li>` : ''}
    </ul>
  </div>`;
}

/** The address that a form for a new filter or for columns leads to; null for an address without such parameters. */
export function addressOfForm(parameters: URLSearchParams, columns: readonly Column[]): string | null {
  const wanted = new URLSearchParams(
    [...parameters].filter(([name]) => !name.startsWith('add_') && name !== 'show_column'),
  );
  const shown = parameters.getAll('show_column');
  const column = columns.find(({ name }) => name === parameters.get('add_column'));
  if (shown.length === 0 && column === undefined) return null;
  if (shown.length > 0) wanted.set('columns', shown.join(','));
  if (column !== undefined) {
    const how = parameters.get('add_how');
    const value = (parameters.get('add_value') ?? '').trim();
    if (how === 'empty') wanted.append(column.name, '');
    else if (value !== '') {
      const ranged = (how === 'from' || how === 'through') && isOrdered(column);
      wanted.append(ranged ? `${column.name}_${how}` : column.name, value);
    }
  }
  const text = wanted.toString();
  return text === '' ? '' : `?${text}`;
}
