/** The amounts that are in no total of a snapshot, and why: each in its own currency, with a link to its rows. */
import { html } from 'hono/html';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { helpingCommands, reasonSentences } from '../../figures/left-out-words.ts';
import { shownCount } from '../../format.ts';
import { copyable } from '../frame/copyable.ts';
import { BEFORE_COMMANDS } from '../pages/left-out-note.ts';
import { shownDollars, shownAmount } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import type { Overview } from './overview.ts';
import type { RowLinks } from './row-links.ts';

interface Part {
  readonly currency: string;
  readonly cents: bigint;
  readonly entries: number;
}

/** One sentence beside the headline that says what its figures leave out; empty if nothing known is left out. */
export function leftOutSentence({ snapshot, ai_spend }: Overview, links: RowLinks): Html | '' {
  const { cost, value } = snapshot.left_out ?? { cost: [], value: [] };
  const parts = [
    countedLink(
      entriesOf(cost),
      ['cost without a dollar rate', 'costs without a dollar rate'],
      links.costs({ left_out: true }),
    ),
    countedLink(
      entriesOf(value),
      ['cash value without one', 'cash values without one'],
      links.cash({ left_out: true }),
    ),
    ai_spend.not_carried_cents === 0n
      ? ''
      : html`${shownDollars(ai_spend.not_carried_cents)} of AI bills that no initiative carries`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return '';
  return html`<p class="note">
    In no figure of cost and value: ${parts.map((part, index) => html`${index === 0 ? '' : '; '}${part}`)}.
    <a href="#not-in-totals">What and why</a>
  </p>`;
}

function entriesOf(parts: readonly { readonly entries: number }[]): number {
  return parts.reduce((sum, { entries }) => sum + entries, 0);
}

/** A number of entries as a link to their rows; empty for none. */
export function countedLink(
  entries: number,
  [one, many]: readonly [string, string],
  address: string,
): Html | '' {
  return entries === 0
    ? ''
    : html`<a href="${address}">${shownCount(entries)} ${entries === 1 ? one : many}</a>`;
}

export function notInTotals(overview: Overview, links: RowLinks, root: string): Html {
  const { snapshot, ai_spend, sample_initiatives } = overview;
  const { left_out } = snapshot;
  const waits = left_out === null ? [] : waiting(left_out, links);
  const commands = helpingCommands(left_out?.reasons);
  return html`<table class="left-out">
      <tbody>
        ${
          left_out === null
            ? line('Amounts without a rate', 'this snapshot does not record them', 'not known')
            : waits
        }
        ${line(
          html`<a href="${links.table('ai_spend')}">AI spend that no initiative carries</a>`,
          'billed by AI providers and vendors, booked to no initiative',
          shownDollars(ai_spend.not_carried_cents),
        )}
        ${line('Value that is not approved', 'drafts and disputed value are in no snapshot', 'not shown')}
        ${sample_initiatives === 0 ? '' : line(`${shownCount(sample_initiatives)} sample ${sample_initiatives === 1 ? 'initiative' : 'initiatives'}`, 'marked as samples, in no table', 'not shown')}
      </tbody>
    </table>
    ${
      waits.length === 0
        ? ''
        : html`<details>
            <summary>Why, and what gives the amounts a dollar figure</summary>
            ${reasonSentences(left_out?.reasons).map((each) => html`<p>${each}</p>`)}
            <p>
              ${commands.length === 0 ? '' : BEFORE_COMMANDS}
              <a href="${root}docs/dollar-conversion">How an amount becomes dollars</a>
            </p>
            ${commands.length === 0 ? '' : copyable(commands.join('\n'), 'The commands that convert the amounts to dollars')}
          </details>`
    }`;
}

/** One line each for costs, cash value and freed capacity without a dollar figure: they are never added. */
function waiting({ cost, value }: LeftOutAmounts, links: RowLinks): readonly Html[] {
  const costs = cost.map((of) => ({
    currency: of.currency,
    cents: BigInt(of.amount_cents),
    entries: of.entries,
  }));
  const cash = value.map((of) => ({
    currency: of.currency,
    cents: BigInt(of.amount_cents),
    entries: of.entries,
  }));
  const capacity = value.map((of) => ({
    currency: of.currency,
    cents: BigInt(of.capacity_amount_cents),
    entries: of.capacity_entries,
  }));
  const left_out = true;
  const freed = links.table('reported_value', [
    ['entry_type', 'capacity'],
    ['usd_amount_cents', ''],
  ]);
  return [
    ...waitingLine(['cost', 'costs'], costs, links.costs({ left_out })),
    ...waitingLine(['cash value', 'cash values'], cash, links.cash({ left_out })),
    ...waitingLine(['freed capacity', 'freed capacities'], capacity, freed),
  ];
}

function waitingLine(
  [one, many]: readonly [string, string],
  parts: readonly Part[],
  address: string,
): readonly Html[] {
  const present = parts.filter(({ entries }) => entries > 0);
  const entries = entriesOf(present);
  if (entries === 0) return [];
  const name = countedLink(entries, [one, many], address);
  const amounts = present.map(({ currency, cents }) => html`<span>${shownAmount(cents, currency)}</span>`);
  return [line(name, 'no dollar rate for the period yet', html`${amounts}`)];
}

function line(name: Html | string, why: string, amount: Html | string): Html {
  return html`<tr>
    <th scope="row">${name} <span class="quiet">${why}</span></th>
    <td class="r">${amount}</td>
  </tr>`;
}
