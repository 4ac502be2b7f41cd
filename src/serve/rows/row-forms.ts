/** What narrows the view of a table's rows: its filters, its columns, and the heaviest values as links. */
import { html } from 'hono/html';
import type { FacetSum } from '../../figures/row-totals.ts';
import { shownCount } from '../../format.ts';
import type { Column } from '../../tables/table.ts';
import type { Html } from '../frame/site-layout.ts';
import { hasOwnCurrency, shownAmount, shownColumn, shownText } from './row-cells.ts';
import { addressOf, isMonth, isOrdered } from './row-query.ts';
import { here, type RefusedParameter, shownColumns, type ShownRows, type View } from './shown-rows.ts';
import { viewOf } from './table-views.ts';

/** The values of a column that are shown as facets. */
const FACET_VALUES = 5;

/**
 * The filters of the view, each with a link that removes it, and a form that adds one. Refused parameters stand beside the
 * form in words, and the first refused filter is in its fields.
 */
export function filterForm(shown: View, refused: readonly RefusedParameter[] = []): Html {
  const { table, query, columns } = shown;
  const [draft] = refused.flatMap((each) => draftOf(each, columns) ?? []);
  const kept = query.given.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form class="filters" method="get" action="${table.name}">
    <fieldset>
      <legend>Filters: all must hold</legend>
      <ul>
        ${query.given.map(([name, value], place) => {
          const without = addressOf(query, { given: query.given.filter((_, each) => each !== place) });
          return html`<li>
            ${filterWords(name, value, shown)}
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
          ${columnGroups(shown).map(([label, group]) => html`<optgroup label="${label}">${group.map(({ name }) => html`<option ${selected(draft?.column === name)}>${name}</option>`)}</optgroup>`)}
        </select>
        <select name="add_how" aria-label="How to compare">
          <option value="is">is</option>
          <option value="from" ${selected(draft?.how === 'from')}>from</option>
          <option value="through" ${selected(draft?.how === 'through')}>through</option>
          <option value="empty">is empty</option>
        </select>
        <input
          name="add_value"
          value="${draft?.value ?? ''}"
          aria-label="Value of the new filter"
          aria-describedby="${refused.length === 0 ? 'units' : 'refused units'}"
          placeholder="value"
          autocomplete="off"
        />
        <button>Add</button>
        <p id="units">${unitsOf(columns)}</p>
        ${refused.length === 0 ? '' : html`<p id="refused" role="alert">${refused.map(({ message }) => html`${message} `)}</p>`}
      </div>
    </fieldset>
  </form>`;
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
function draftOf({ name, value }: RefusedParameter, columns: readonly Column[]) {
  const named = (wanted: string) => columns.some((column) => column.name === wanted);
  if (named(name)) return { column: name, how: 'is', value };
  const [, column = '', how = ''] = /^(.+)_(from|through)$/.exec(name) ?? [];
  return named(column) ? { column, how, value } : null;
}

/** How amounts and months are written in a filter. */
function unitsOf(columns: readonly Column[]): string {
  return [
    ...(columns.some(({ kind }) => kind === 'cents') ? ['Amounts are in cents: 1000 is $10.00.'] : []),
    ...(columns.some(isMonth) ? ['Months are written 2026-04.'] : []),
  ].join(' ');
}

function filterWords(name: string, text: string, { query: { filters }, columns, titles }: View): Html {
  const same = filters.find(({ column }) => column.name === name);
  if (same !== undefined) {
    if (text === '') return html`<b>${name}</b> is empty`;
    const value = [...same.values].find((each) => String(each) === text) ?? text;
    const words =
      same.column.references === 'initiatives'
        ? shownText(same.column, value, titles)
        : withUnit(same.column, text, columns);
    return html`<b>${name}</b> is ${words}`;
  }
  const ending = name.endsWith('_from') ? '_from' : '_through';
  const bare = name.slice(0, -ending.length);
  const column = columns.find((each) => each.name === bare);
  return html`<b>${bare}</b> ${ending.slice(1)}
    ${column === undefined ? text : withUnit(column, text, columns)}`;
}

/** Cents also as the amount that the column shows: `1000 cents ($10.00)`; in the currency of each row without a sign. */
function withUnit(column: Column, text: string, columns: readonly Column[]): string {
  if (column.kind !== 'cents') return text;
  const amount = shownAmount(BigInt(text), null);
  return `${text} cents (${hasOwnCurrency(column, columns) ? amount.replace('$', '') : amount})`;
}

export function columnForm(shown: View): Html {
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
  const { query, titles, totals, table } = shown;
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
          <a href="${here(shown, addressOf(query, { given }))}" data-filter="${column.name}"
            >${shownText(column, value, titles)}</a
          >
          <span class="quiet">${shownCount(rows)}</span>
          <span class="r">${cents === null ? '' : shownAmount(cents, currency)}</span>
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
