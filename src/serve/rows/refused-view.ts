/** The page of rows at an address with a wrong parameter: the form shows the fault, and keeps the other parameters. */
import { html } from 'hono/html';
import { isCrossfootError } from '../../errors.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { Html } from '../frame/site-layout.ts';
import { columnForm, filterForm } from './row-forms.ts';
import { crumbs } from './row-page.ts';
import { addressOf, readRowQuery, type RowQuery } from './row-query.ts';
import { here, type RefusedParameter, type View } from './shown-rows.ts';
import { viewOf } from './table-views.ts';

/** An address may have thousands of wrong parameters; the page names the first of them. */
const MAX_REFUSED = 10;

/** The view of an address without its wrong parameters, and these; none are refused if the whole address is right. */
export function readableView(
  parameters: URLSearchParams,
  table: Table,
  columns: readonly Column[],
): { readonly query: RowQuery; readonly refused: readonly RefusedParameter[] } {
  if (messageOf(parameters, table, columns) === null)
    return { query: readRowQuery(parameters, table, columns), refused: [] };
  let kept = new URLSearchParams();
  const refused: RefusedParameter[] = [];
  for (const [name, value] of parameters) {
    const longer = new URLSearchParams([...kept, [name, value]]);
    const message = messageOf(longer, table, columns);
    if (message === null) kept = longer;
    else refused.push({ name, value, message });
    if (refused.length === MAX_REFUSED) break;
  }
  return { query: readRowQuery(kept, table, columns), refused };
}

/** Why the address is refused; null if it is right. */
function messageOf(parameters: URLSearchParams, table: Table, columns: readonly Column[]): string | null {
  try {
    readRowQuery(parameters, table, columns);
    return null;
  } catch (error) {
    if (isCrossfootError(error) && error.code === 'parameter_refused') return error.message;
    throw error;
  }
}

/** The body of the page. It shows no rows: rows of fewer filters than were wanted would mislead. */
export function refusedBody(view: View, refused: readonly RefusedParameter[]): Html {
  const { table, query } = view;
  return html`${crumbs(view)}
    <h1>${viewOf(table).title}</h1>
    <p class="lead">No rows are shown: a filter, or another part of the address, is wrong.</p>
    ${filterForm(view, refused)} ${columnForm(view)}
    <p><a href="${here(view, addressOf(query))}">Show the rows without the wrong part</a></p>`;
}
