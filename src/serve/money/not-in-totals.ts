/** The amounts that are in no total of a snapshot, and why: each in its own currency, with a link to its rows. */
import { html } from 'hono/html';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { LEFT_OUT_TABLES, type LeftOutReason } from '../../figures/left-out-reasons.ts';
import { dollarStanding, helpingCommands, reasonSentences } from '../../figures/left-out-words.ts';
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
      ['cost without a dollar figure', 'costs without a dollar figure'],
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
  const aiSpend = `${root}ai-spend?snapshot=${snapshot.snapshot_id}#left-out-bills`;
  const waits = left_out === null ? [] : [...waiting(left_out, links), ...billsWaiting(left_out, aiSpend)];
  const commands = helpingCommands(left_out?.reasons);
  return html`<table class="left-out">
      <tbody>
        ${
          left_out === null
            ? line('Amounts without dollars', 'this snapshot does not record them', 'not known')
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
function waiting({ cost, value, reasons }: LeftOutAmounts, links: RowLinks): readonly Html[] {
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
  const ofValue = standingsOf(reasons, 'value_entries');
  const freed = links.table('reported_value', [
    ['entry_type', 'capacity'],
    ['usd_amount_cents', ''],
  ]);
  return [
    ...waitingLine(['cost', 'costs'], costs, links.costs({ left_out }), standingsOf(reasons, 'cost_entries')),
    ...waitingLine(['cash value', 'cash values'], cash, links.cash({ left_out }), ofValue),
    ...waitingLine(['freed capacity', 'freed capacities'], capacity, freed, ofValue),
  ];
}

/** A line each for bills of providers, bills of vendors and card charges that are in no dollar total of AI spend. */
function billsWaiting({ bills = [], reasons }: LeftOutAmounts, address: string): readonly Html[] {
  return [...Map.groupBy(bills, ({ table }) => table)].flatMap(([table, own]) => {
    const parts = own.map(({ amount_cents, ...of }) => ({ ...of, cents: BigInt(amount_cents) }));
    // A card charge in another currency is in no total even if it has dollars.
    const standing = table === 'card_charges' ? () => 'not in dollars' : standingsOf(reasons, table);
    return waitingLine(LEFT_OUT_TABLES[table], parts, address, standing);
  });
}

/** The function that tells what the entries of a currency wait for. */
function standingsOf(
  reasons: readonly LeftOutReason[] | undefined,
  table: LeftOutReason['table'],
): (currency: string) => string {
  return (currency) => dollarStanding(reasons, { table, currency });
}

function waitingLine(
  names: readonly [string, string],
  parts: readonly Part[],
  address: string,
  standing: (currency: string) => string,
): readonly Html[] {
  const present = parts.filter(({ entries }) => entries > 0);
  const entries = entriesOf(present);
  if (entries === 0) return [];
  const amounts = present.map(({ currency, cents }) => html`<span>${shownAmount(cents, currency)}</span>`);
  const standings = [...Map.groupBy(present, ({ currency }) => standing(currency))];
  const why =
    standings.length === 1
      ? standings.map(([words]) => words)
      : standings.map(([words, own]) => `${own.map(({ currency }) => currency).join(', ')}: ${words}`);
  return [line(countedLink(entries, names, address), why.join('; '), html`${amounts}`)];
}

function line(name: Html | string, why: string, amount: Html | string): Html {
  return html`<tr>
    <th scope="row">${name} <span class="quiet">${why}</span></th>
    <td class="r">${amount}</td>
  </tr>`;
}
