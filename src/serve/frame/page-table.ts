/** The tables and lists of facts that several pages show. */
import { html } from 'hono/html';
import type { Html } from './site-layout.ts';

/** A table that scrolls sideways on a narrow screen. A column is its title; a column of numbers is aligned right. */
export function pageTable(
  label: string,
  columns: readonly (string | { readonly number: string })[],
  rows: readonly Html[] | Html,
): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) =>
            typeof column === 'string'
              ? html`<th scope="col">${column}</th>`
              : html`<th scope="col" class="number">${column.number}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** Names with their values. */
export function factList(facts: readonly (readonly [name: string, value: unknown])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
