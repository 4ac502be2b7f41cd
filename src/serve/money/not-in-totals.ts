/** The amounts that are in no total of a snapshot, and why: each in its own currency, with a link to its rows. */
import { html } from 'hono/html';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { LEFT_OUT_TABLES, type LeftOutReason } from '../../figures/left-out-reasons.ts';
import {
  dollarCause,
  dollarStanding,
  helpingCommands,
  type LeftOutPart,
} from '../../figures/left-out-words.ts';
import type { LeftOut, LeftOutOfScope } from '../../figures/unsettled.ts';
import { shownCount } from '../../format.ts';
import { copyable } from '../frame/copyable.ts';
import { BEFORE_COMMANDS } from '../pages/left-out-note.ts';
import { shownDollars, shownAmount } from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import type { Overview } from './overview.ts';
import type { RowFilters, RowLinks } from './row-links.ts';

/** Entries of one kind and currency. */
interface Part {
  readonly currency: string;
  readonly cents: bigint;
  readonly entries: bigint;
  /** The rows. */
  readonly address: string;
}

/** Costs, cash value and freed capacity are never added. */
interface Kind extends Pick<LeftOutPart, 'table' | 'is_capacity'> {
  readonly names: readonly [one: string, many: string];
  /** The rows of every currency. */
  readonly address: string;
  readonly parts: readonly Part[];
}

interface Shown {
  readonly left_out: LeftOutOfScope;
  /** Why the snapshot leaves amounts out. */
  readonly reasons: readonly LeftOutReason[] | undefined;
  readonly links: RowLinks;
  readonly initiative_id?: bigint;
}

/** The amounts by kind, without those of which there are none. */
function kindsOf({ left_out, links, initiative_id }: Shown): readonly Kind[] {
  const { cost_left_out: costs, value_left_out: value } = left_out;
  const of = { left_out: true, ...(initiative_id === undefined ? {} : { initiative_id }) };
  const part = (
    { currency, amount_cents: cents, entries }: LeftOut,
    addressOf: (filters: RowFilters) => string,
  ): Part => ({ currency, cents, entries, address: addressOf({ ...of, currency }) });
  const freed = value.map((each) => ({
    currency: each.currency,
    amount_cents: each.capacity_amount_cents,
    entries: each.capacity_entries,
  }));
  const kinds = [
    { names: ['cost', 'costs'], table: 'cost_entries', addressOf: links.costs, all: costs },
    {
      names: ['cash value', 'cash values'],
      table: 'value_entries',
      is_capacity: false,
      addressOf: links.cash,
      all: value,
    },
    {
      names: ['freed capacity', 'freed capacities'],
      table: 'value_entries',
      is_capacity: true,
      addressOf: links.freed,
      all: freed,
    },
  ] as const;
  return kinds.flatMap(({ addressOf, all, ...kind }) => {
    const parts = all.filter(({ entries }) => entries > 0n).map((each) => part(each, addressOf));
    return parts.length === 0 ? [] : [{ ...kind, address: addressOf(of), parts }];
  });
}

/** The amounts of each kind in words, with what each waits for: `3 costs (EUR 600.00 no rate yet)`. */
export function leftOutParts(shown: Shown): readonly Html[] {
  return kindsOf(shown).map(
    ({ names, address, parts, ...kind }) =>
      html`${countedLink(entriesOf(parts), names, address)}
      (${parts.map(({ currency, cents }, index) => {
        const standing = dollarStanding(shown.reasons, { ...kind, currency });
        return html`${index === 0 ? '' : ', '}${shownAmount(cents, currency)} ${standing}`;
      })})`,
  );
}

/** One sentence beside the headline that says what its figures leave out; empty if nothing known is left out. */
export function leftOutSentence(
  { snapshot, ai_spend, unsettled }: Overview,
  links: RowLinks,
  overview_path = '',
): Html | '' {
  const { left_out } = unsettled;
  const parts = [
    ...leftOutParts({ left_out, reasons: snapshot.left_out?.reasons, links }),
    ...(ai_spend.not_carried_cents === 0n
      ? []
      : [html`${shownDollars(ai_spend.not_carried_cents)} of AI bills that no initiative carries`]),
  ];
  if (parts.length === 0) return '';
  return html`<p class="note">
    In no figure of cost and value: ${parts.map((part, index) => html`${index === 0 ? '' : '; '}${part}`)}.
    <a href="${overview_path === '' ? '' : `${overview_path}?snapshot=${snapshot.snapshot_id}`}#not-in-totals"
      >What and why</a
    >
  </p>`;
}

function entriesOf(parts: readonly { readonly entries: bigint }[]): bigint {
  return parts.reduce((sum, { entries }) => sum + entries, 0n);
}

/** A number of entries as a link to their rows; empty for none. */
function countedLink(
  entries: bigint | number,
  [one, many]: readonly [string, string],
  address: string,
): Html | '' {
  return Number(entries) === 0
    ? ''
    : html`<a href="${address}">${shownCount(entries)} ${Number(entries) === 1 ? one : many}</a>`;
}

export function notInTotals(overview: Overview, links: RowLinks, root: string): Html {
  const { snapshot, ai_spend, sample_initiatives, unsettled } = overview;
  const { left_out } = snapshot;
  const aiSpend = `${root}ai-spend?snapshot=${snapshot.snapshot_id}#left-out-bills`;
  const waits = [
    ...waiting({ left_out: unsettled.left_out, reasons: left_out?.reasons, links }),
    ...(left_out === null ? [] : billsWaiting(left_out, aiSpend)),
  ];
  const commands = helpingCommands(left_out?.reasons);
  return html`<table class="left-out">
      <tbody>
        ${waits}
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
        : commands.length === 0
          ? html`<p><a href="${root}docs/dollar-conversion">How an amount becomes dollars</a></p>`
          : html`<details>
              <summary>What gives the amounts a dollar figure</summary>
              <p>
                ${BEFORE_COMMANDS}
                <a href="${root}docs/dollar-conversion">How an amount becomes dollars</a>
              </p>
              ${copyable(commands.join('\n'), 'The commands that convert the amounts to dollars')}
            </details>`
    }`;
}

/** A line for each kind and currency. */
function waiting(shown: Shown): readonly Html[] {
  return kindsOf(shown).flatMap(({ names, parts, ...kind }) =>
    parts.map((part) => waitingLine(names, part, dollarCause(shown.reasons, { ...kind, ...part }))),
  );
}

/** The same for bills of providers, bills of vendors and card charges that are in no dollar total of AI spend. */
function billsWaiting({ bills = [], reasons }: LeftOutAmounts, address: string): readonly Html[] {
  return bills.map(({ table, currency, amount_cents, entries }) => {
    const part = { currency, cents: BigInt(amount_cents), entries: BigInt(entries), address };
    return waitingLine(LEFT_OUT_TABLES[table], part, dollarCause(reasons, { table, currency }));
  });
}

function waitingLine(
  [one, many]: readonly [string, string],
  { currency, cents, entries, address }: Part,
  why: string,
): Html {
  const names = [`${one} in ${currency}`, `${many} in ${currency}`] as const;
  return line(countedLink(entries, names, address), why, shownAmount(cents, currency));
}

function line(name: Html | string, why: string, amount: Html | string): Html {
  return html`<tr>
    <th scope="row">${name} <span class="quiet">${why}</span></th>
    <td class="r">${amount}</td>
  </tr>`;
}
