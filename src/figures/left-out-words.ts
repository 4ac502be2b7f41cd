/** The amounts that no total includes, as sentences. Commands, pages and the record of a build share them. */
import { BILL_TABLES, type LeftOutAmounts, type LeftOutBills } from './left-out.ts';
import { LEFT_OUT_TABLES, type LeftOutReason, reasonTold } from './left-out-reasons.ts';

/** The address of the European Central Bank's history of reference rates. */
export const PUBLISHED_RATES = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';

/** The commands, in this order, that convert the left-out amounts if their rates are published. */
const RATE_COMMANDS = [
  `npx --no crossfoot rates import ${PUBLISHED_RATES}`,
  'npx --no crossfoot rates convert',
] as const;

/** Both commands in one line. */
export const RATE_LINE = `Import the published rates: ${RATE_COMMANDS[0]}; then run: ${RATE_COMMANDS[1]}`;

/** The line for amounts whose rates are stored already. */
export const CONVERT_LINE = `Convert at the stored rates: ${RATE_COMMANDS[1]}`;

const HELP_WORDS = {
  convert: 'convert at the stored rates',
  import: 'import published rates',
  reopen: 'reopen the month first',
  never: 'never converted',
} as const;

/** The same of an amount, in the place of its dollars. */
const STANDINGS = {
  convert: 'not converted yet',
  import: 'no rate yet',
  reopen: 'locked without a rate',
  never: HELP_WORDS.never,
} as const;

/** Of amounts in a record without reasons. */
export const UNKNOWN_STANDING = 'no dollar figure';

/** No dollar total of AI spend has a card charge in another currency, even if the charge has dollars. */
const NOT_IN_DOLLARS = 'not in dollars';

/** Entries of one table and currency, of approved value either the cash or the capacity. */
export interface LeftOutPart extends Pick<LeftOutReason, 'table' | 'currency'> {
  readonly is_capacity?: boolean;
}

/** The reasons of a part, each with its amount if that is known. */
function reasonsOf(
  reasons: readonly LeftOutReason[] = [],
  { table, currency, is_capacity }: LeftOutPart,
): readonly (LeftOutReason & { readonly cents: number | undefined })[] {
  return reasons
    .filter((each) => each.table === table && each.currency === currency)
    .filter(({ amount_cents: known, entries, capacity_entries: of_capacity = 0 }) => {
      if (is_capacity === undefined || known === undefined) return true;
      return is_capacity ? of_capacity > 0 : entries > of_capacity;
    })
    .map((each) => ({
      ...each,
      cents: is_capacity === true ? each.capacity_amount_cents : each.amount_cents,
    }));
}

/** All words that may stand in the place of the dollars of an entry. */
export const STANDING_WORDS: readonly string[] = [...Object.values(STANDINGS), UNKNOWN_STANDING];

/** What rows and lists say in the place of the dollars of these entries; `reasons` are those of the snapshot. */
export function dollarStanding(reasons: readonly LeftOutReason[] | undefined, part: LeftOutPart): string {
  if (part.table === 'card_charges') return NOT_IN_DOLLARS;
  const standings = new Set(reasonsOf(reasons, part).map((each) => STANDINGS[reasonTold(each).help]));
  return standings.size === 0 ? UNKNOWN_STANDING : inWords([...standings], 'or');
}

/** The same with the cause of each standing, and with the amount of each if they have several. */
export function dollarCause(reasons: readonly LeftOutReason[] | undefined, part: LeftOutPart): string {
  const standing = dollarStanding(reasons, part);
  if (part.table === 'card_charges') return `${standing}: a card charge counts only in US dollars`;
  const own = reasonsOf(reasons, part);
  if (own.length === 0) return standing;
  return own
    .map(({ cents, currency, ...each }) => {
      const { help, because } = reasonTold({ ...each, currency });
      const amount = own.length === 1 || cents === undefined ? '' : `${currency} ${shownAmount(cents)} `;
      return `${amount}${STANDINGS[help]}: ${because}`;
    })
    .join('; ');
}

interface Part {
  readonly currency: string;
  readonly amount_cents: number;
  readonly entries: number;
}

/**
 * A sentence each for costs, cash value and capacity, which are never added, and for each kind of bills. A part without left-out
 * amounts has none.
 */
export function leftOutSentences({ cost, value, bills }: LeftOutAmounts): readonly string[] {
  const capacity = value.map(({ currency, capacity_amount_cents, capacity_entries }) => ({
    currency,
    amount_cents: capacity_amount_cents,
    entries: capacity_entries,
  }));
  return [
    ...sentence(cost, 'cost', 'costs'),
    ...sentence(value, 'approved entry of cash value', 'approved entries of cash value'),
    ...sentence(capacity, 'approved entry of capacity', 'approved entries of capacity'),
    ...billSentences(bills),
  ];
}

/** A sentence for each kind of bills that no dollar total of AI spend includes. */
export function billSentences(bills: readonly LeftOutBills[] = []): readonly string[] {
  return BILL_TABLES.flatMap((table) => {
    const [one, many] = LEFT_OUT_TABLES[table];
    const own = bills.filter((each) => each.table === table);
    return sentence(own, one, many, {
      lacks: table === 'card_charges' ? NOT_IN_DOLLARS : null,
      from: 'dollar total of AI spend',
    });
  });
}

/** The reasons that are about bills. An older record has reasons of card charges, too, which no rate brings into AI spend. */
export function reasonsOfBills(reasons: readonly LeftOutReason[] = []): readonly LeftOutReason[] {
  return reasons.filter(({ table }) => table === 'provider_bills' || table === 'vendor_bills');
}

/** A sentence for each table and reason, with the help and the cause. Empty if the reasons are not recorded. */
export function reasonSentences(reasons: readonly LeftOutReason[] = []): readonly string[] {
  const alike = Map.groupBy(reasons, (row) => `${row.table} ${reasonTold(row).because}`);
  return [...alike.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const entries = rows.reduce((sum, row) => sum + row.entries, 0);
    const noun = LEFT_OUT_TABLES[first.table][entries === 1 ? 0 : 1];
    const sorted = rows.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const currencies = inWords(sorted.map(({ currency }) => currency));
    const amounts = sorted.every(({ amount_cents }) => amount_cents !== undefined)
      ? ` (${sorted.flatMap(amountsOf).join(', ')})`
      : '';
    const { help, because } = reasonTold(first);
    return [
      `${entries.toLocaleString('en-US')} ${noun} in ${currencies}${amounts}: ${HELP_WORDS[help]}, because ${because}.`,
    ];
  });
}

/** The amounts of a reason, those of cash and of capacity apart. */
function amountsOf({
  currency,
  entries,
  amount_cents = 0,
  capacity_entries = 0,
  capacity_amount_cents = 0,
}: LeftOutReason): readonly string[] {
  return [
    ...(entries > capacity_entries ? [`${currency} ${shownAmount(amount_cents)}`] : []),
    ...(capacity_entries > 0 ? [`${currency} ${shownAmount(capacity_amount_cents)} of capacity`] : []),
  ];
}

/** The commands that help, in their order. All of them if the reasons are not recorded; none if nothing helps. */
export function helpingCommands(reasons: readonly LeftOutReason[] | undefined): readonly string[] {
  const helps = reasons?.map((reason) => reasonTold(reason).help);
  if (helps === undefined || helps.includes('import')) return RATE_COMMANDS;
  return helps.includes('convert') ? [RATE_COMMANDS[1]] : [];
}

/** The same commands in a line for a terminal; empty if nothing helps. */
export function helpingLines(reasons: readonly LeftOutReason[] | undefined): readonly string[] {
  const commands = helpingCommands(reasons);
  if (commands.length === 0) return [];
  return [commands.length === 1 ? CONVERT_LINE : RATE_LINE];
}

/**
 * One line for a terminal: how many amounts no total includes, how many of them rates help, and where each is. Null if no amount
 * is left out. A line for each amount would hide the trouble that a person looks for. `when` says since when the command shows it.
 */
export function leftOutLine(
  { cost, value, bills = [], reasons = [] }: LeftOutAmounts,
  when = '',
): string | null {
  const capacity = value.map((each) => ({ currency: each.currency, entries: each.capacity_entries }));
  const left = [...cost, ...value, ...capacity, ...bills].filter(({ entries }) => entries > 0);
  const entries = countOf(left);
  if (entries === 0) return null;
  const [noun, are] = entries === 1 ? ['amount', 'is'] : ['amounts', 'are'];
  const currencies = inWords([...new Set(left.map(({ currency }) => currency))].toSorted());
  const waits = (['import', 'convert'] as const).flatMap((help) => {
    const helped = countOf(reasons.filter((each) => reasonTold(each).help === help));
    if (helped === 0) return [];
    return [entries === 1 ? WAITS[help] : `${helped.toLocaleString('en-US')} of them ${WAITS[help]}`];
  });
  const which = [`${entries.toLocaleString('en-US')} ${noun} in ${currencies} ${are} in no total`, ...waits];
  return `${which.join(', ')}; ${when}npx --no crossfoot status --amounts shows why`;
}

const WAITS = { import: 'until rates are imported', convert: 'until rates convert runs' } as const;

function countOf(parts: readonly { readonly entries: number }[]): number {
  return parts.reduce((sum, { entries }) => sum + entries, 0);
}

/** What the entries lack, if not a dollar figure, and what does not include them. */
interface Missing {
  readonly lacks: string | null;
  readonly from: string;
}

function sentence(
  parts: readonly Part[],
  one: string,
  many: string,
  { lacks, from }: Missing = { lacks: null, from: 'total' },
): readonly string[] {
  const left = parts.filter(({ entries }) => entries > 0);
  const entries = left.reduce((sum, part) => sum + part.entries, 0);
  if (entries === 0) return [];
  const [noun, verbs] = entries === 1 ? [one, ['has', 'is']] : [many, ['have', 'are']];
  const [have = '', are = ''] = verbs;
  const amounts = left.map(({ currency, amount_cents }) => `${currency} ${shownAmount(amount_cents)}`);
  const currencies = inWords(left.map(({ currency }) => currency));
  const why = lacks === null ? `${have} no dollar figure and ${are}` : `${are} ${lacks} and`;
  return [
    `${entries.toLocaleString('en-US')} ${noun} in ${currencies} (${amounts.join(', ')}) ${why} in no ${from}.`,
  ];
}

function inWords(names: readonly string[], joined = 'and'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${joined} ${last}`;
}

/** A number of cents in units of its currency: `1,234.56`, or `−1,234.56`. */
export function shownAmount(cents: number): string {
  const size = Math.abs(cents);
  const units = Math.floor(size / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}${units}.${String(size % 100).padStart(2, '0')}`;
}
