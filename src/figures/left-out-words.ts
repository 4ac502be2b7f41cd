/** The amounts that no total includes, as sentences. Commands, pages and the record of a build share them. */
import type { LeftOutAmounts } from './left-out.ts';
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
  never: 'never converted',
} as const;

interface Part {
  readonly currency: string;
  readonly amount_cents: number;
  readonly entries: number;
}

/**
 * Up to three sentences: for costs, cash value and capacity, which are never added. A part without left-out amounts has
 * none.
 */
export function leftOutSentences({ cost, value }: LeftOutAmounts): readonly string[] {
  const capacity = value.map(({ currency, capacity_amount_cents, capacity_entries }) => ({
    currency,
    amount_cents: capacity_amount_cents,
    entries: capacity_entries,
  }));
  return [
    ...sentence(cost, 'cost', 'costs'),
    ...sentence(value, 'approved entry of cash value', 'approved entries of cash value'),
    ...sentence(capacity, 'approved entry of capacity', 'approved entries of capacity'),
  ];
}

/** A sentence for each table and reason, with the help and the cause. Empty if the reasons are not recorded. */
export function reasonSentences(reasons: readonly LeftOutReason[] = []): readonly string[] {
  const alike = Map.groupBy(reasons, (row) => `${row.table} ${reasonTold(row).because}`);
  return [...alike.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const entries = rows.reduce((sum, row) => sum + row.entries, 0);
    const noun = LEFT_OUT_TABLES[first.table][entries === 1 ? 0 : 1];
    const currencies = inWords(rows.map(({ currency }) => currency).toSorted());
    const { help, because } = reasonTold(first);
    return [
      `${entries.toLocaleString('en-US')} ${noun} in ${currencies}: ${HELP_WORDS[help]}, because ${because}.`,
    ];
  });
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

/** Amounts, reasons and commands, for a terminal. */
export function leftOutLines(amounts: LeftOutAmounts): readonly string[] {
  const sentences = leftOutSentences(amounts);
  if (sentences.length === 0) return [];
  return [...sentences, ...reasonSentences(amounts.reasons), ...helpingLines(amounts.reasons)];
}

function sentence(parts: readonly Part[], one: string, many: string): readonly string[] {
  const left = parts.filter(({ entries }) => entries > 0);
  const entries = left.reduce((sum, part) => sum + part.entries, 0);
  if (entries === 0) return [];
  const [noun, verbs] = entries === 1 ? [one, ['has', 'is']] : [many, ['have', 'are']];
  const [have = '', are = ''] = verbs;
  const amounts = left.map(({ currency, amount_cents }) => `${currency} ${shownAmount(amount_cents)}`);
  const currencies = inWords(left.map(({ currency }) => currency));
  return [
    `${entries.toLocaleString('en-US')} ${noun} in ${currencies} (${amounts.join(', ')}) ${have} no dollar figure yet and ${are} in no total.`,
  ];
}

function inWords(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** A number of cents in units of its currency: `1,234.56`, or `−1,234.56`. */
export function shownAmount(cents: number): string {
  const size = Math.abs(cents);
  const units = Math.floor(size / 100).toLocaleString('en-US');
  return `${cents < 0 ? '−' : ''}${units}.${String(size % 100).padStart(2, '0')}`;
}
