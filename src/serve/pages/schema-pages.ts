/** The HTML of `/tables` and `/tables/{table}`: the reporting tables and what each column means. */
import { html } from 'hono/html';
import type { SchemaDescription } from '../../tables/describe.ts';
import { inSteps } from '../site/in-steps.ts';
import { definePage } from '../frame/define-page.ts';
import { keepPages } from '../frame/keep-pages.ts';
import { refusalContent } from '../frame/sign-in-page.ts';
import { withCode } from '../frame/with-code.ts';
import { factList, pageTable } from '../frame/page-table.ts';
import { NO_TABLE } from '../reporting/table-parameter.ts';

type Described = SchemaDescription['tables'][number];

export interface SchemaParts {
  readonly schema: SchemaDescription;
}

export const tablesPage = definePage({
  path: '/tables',
  title: 'Tables',
  here: 'tables',
  access: 'public',
  query: [],
  says: 'The reporting tables.',
  body: ({ schema }: SchemaParts) => {
    const keep = keepPages();
    return ({ frame }) => keep('', () => frame({ body: tablesBody(schema) }));
  },
});

export const tablePage = definePage({
  path: '/tables/{table}',
  title: 'Table',
  here: 'tables',
  access: 'public',
  query: [],
  says: 'The columns of a table.',
  body: ({ schema }: SchemaParts) => {
    const keep = keepPages();
    const names = schema.tables.map(({ name }) => name);
    return async ({ root, named, frame }) => {
      const table = schema.tables.find(({ name }) => name === named.table);
      if (table === undefined) return { ...refusalContent(root, NO_TABLE), status: 404 };
      return await keep(table.name, () => frame({ title: table.name, body: tableBody(table, names) }));
    };
  },
});

/** The body of the page of all tables. */
function tablesBody({ tables }: SchemaDescription) {
  return html`<h1>Tables</h1>
    <p class="lead">The tables of every snapshot. Tables and columns are only ever added.</p>
    <ul>
      ${tables.map(
        ({ name, grain }) => html`<li><a href="tables/${name}">${name}</a> <span>${grain}</span></li>`,
      )}
    </ul>
    <p>The same description for programs: <a href="v1/reporting/schema.json">schema.json</a>.</p>`;
}

/** The body of the page of one table; a reference to another table becomes a link if `linked` contains that table. */
function tableBody({ name, grain, description, key, columns }: Described, linked: readonly string[]) {
  return html`<h1>${name}</h1>
    <p class="lead">${withCode(description)}</p>
    <p><a href="../snapshots/newest/tables/${name}">Rows in the newest snapshot</a></p>
    ${factList([
      ['Grain', grain],
      ['Key', key.join(', ')],
      ['Columns', columns.length],
    ])}
    <h2 id="columns">Columns</h2>
    ${pageTable(
      'Columns',
      ['Column', 'Type', 'Meaning'],
      inSteps(columns, (column) => columnRow(column, linked)),
    )}
    <p><a href="../tables">All tables</a></p>`;
}

function columnRow(column: Described['columns'][number], linked: readonly string[]) {
  const { name, type, nullable, description, values, references } = column;
  return html`<tr id="${name}">
    <th scope="row"><code>${name}</code></th>
    <td>${type} ${nullable ? html`<div class="quiet nowrap">may be empty</div>` : ''}</td>
    <td class="words">
      ${withCode(description)} ${values === undefined ? '' : html`<span>One of ${values.join(', ')}.</span>`}
      ${
        references !== undefined && linked.includes(references)
          ? html`<a class="nowrap" href="${references}">Refers to a row of ${references}</a>`
          : ''
      }
    </td>
  </tr>`;
}
