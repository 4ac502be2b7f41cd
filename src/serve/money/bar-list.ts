/**
 * A list of sums, one for each value of a column, largest first. Each has a bar on a common scale and a link to its
 * rows.
 */
import { html } from 'hono/html';
import type { FacetSum } from '../../figures/row-totals.ts';
import { shownCount } from '../../format.ts';
import { shownDollars } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';

const WIDTH = 100;
/** The list shows this many values; the page of the table's rows has the others. */
const MAX_LINES = 20;

interface BarList {
  readonly id: string;
  readonly heading: string;
  readonly tone: 'cost' | 'value';
  readonly sums: readonly FacetSum[];
  readonly total: bigint | null;
  /** The words for a missing value: `no vendor named`. */
  readonly none: string;
  readonly name?: (value: FacetSum['value']) => string;
  readonly link: (value: FacetSum['value']) => string;
  readonly totalLink: string;
}

export function barList({
  id,
  heading,
  tone,
  sums,
  total,
  none,
  name = String,
  link,
  totalLink,
}: BarList): Html {
  const most = Math.max(...sums.map(({ cents }) => size(cents)), 1);
  const shown = sums.slice(0, MAX_LINES);
  return html`<section>
    <div class="head">
      <h2 id="${id}"><span class="key ${tone}">${heading}</span></h2>
    </div>
    ${
      sums.length === 0
        ? html`<p class="quiet">
            ${total === null ? 'None recorded in this snapshot.' : html`Too many to list: <a href="${totalLink}">${shownDollars(total)} in all</a>`}
          </p>`
        : html`<table class="bars">
            <tbody>
              ${shown.map(
                ({ value, cents }) =>
                  html`<tr>
                    <th scope="row"><a href="${link(value)}">${value === null ? none : name(value)}</a></th>
                    <td class="bar">
                      ${
                        size(cents) === 0
                          ? ''
                          : html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
                              <rect
                                class="bar-${tone}${(cents ?? 0n) < 0n ? ' soft' : ''}"
                                width="${Math.max((size(cents) / most) * WIDTH, 0.5).toFixed(1)}"
                                height="10"
                              />
                            </svg>`
                      }
                    </td>
                    <td class="r">${cents === null ? 'none' : shownDollars(cents)}</td>
                  </tr>`,
              )}
              ${
                sums.length > shown.length
                  ? html`<tr>
                      <th scope="row" colspan="3">
                        <a href="${totalLink}">and ${shownCount(sums.length - shown.length)} more</a>
                      </th>
                    </tr>`
                  : ''
              }
              <tr class="sum">
                <th scope="row">Total</th>
                <td></td>
                <td class="r"><a href="${totalLink}">${shownDollars(total ?? 0n)}</a></td>
              </tr>
            </tbody>
          </table>`
    }
  </section>`;
}

function size(cents: bigint | null): number {
  return Math.abs(Number(cents ?? 0n));
}
