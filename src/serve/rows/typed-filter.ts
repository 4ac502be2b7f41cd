/** A filter as people write it in the form: dollars, months, names and words, read as the address names them. */
import type { LeftOutReason } from '../../figures/left-out-reasons.ts';
import type { Column } from '../../tables/table.ts';
import { namesIn, type Names } from '../../snapshot/read/sheet-cells.ts';
import { UNKNOWN_STANDING } from '../../figures/left-out-words.ts';
import { currenciesOf } from './dollar-standings.ts';
import { DOLLARS, hasOwnCurrency, isShare, shownColumn } from './row-cells.ts';
import { refusedParameter } from '../http/parameters.ts';
import { isMonth, isOrdered, isText } from './row-query.ts';
import { MONTHS } from '../frame/shown-values.ts';

/** The ways to compare: their names in the form and their words, which the filter shows again. */
export const WAYS_TO_COMPARE = {
  is: 'is',
  not: 'is not',
  contains: 'contains',
  from: 'from',
  through: 'through',
  empty: 'is empty',
  filled: 'is not empty',
} as const;

type Way = keyof typeof WAYS_TO_COMPARE;
type Given = readonly (readonly [name: string, value: string])[];

interface Typed {
  readonly column: Column;
  readonly how: Way;
  readonly text: string;
}

interface Known {
  readonly table: { readonly name: string };
  readonly columns: readonly Column[];
  readonly idNames: Names;
  /** Why entries of the snapshot have no dollars; undefined if it does not record it. */
  readonly reasons: readonly LeftOutReason[] | undefined;
  /** The values of the column that differ from the text at most in upper and lower case. */
  readonly spellings: readonly string[];
}

/** The parameters that the filter is in an address; throws the refusal in the words of the form. */
export function typedFilter({ column, how, text }: Typed, known: Known): Given {
  const { name } = column;
  if (how === 'empty' || (how === 'is' && isNone(column, text))) return [[name, '']];
  if (how === 'filled' || (how === 'not' && isNone(column, text))) return [[`${name}_not`, '']];
  const names = namesIn(column, known.idNames);
  if (names !== null) return ofName({ column, how, text }, names);
  if (how === 'contains') {
    if (!isText(column)) throw wrong(column, `is no text. Use ${WAYS_TO_COMPARE.is} instead of contains.`);
    return [[`${name}_contains`, text]];
  }
  if (isRange(how) && !isOrdered(column))
    throw wrong(column, 'has no range: its values have no order. Use is.');
  if (name === DOLLARS) {
    const currencies = currenciesOf(text, known);
    if (currencies?.length === 0 && known.reasons !== undefined && text.toLowerCase() !== UNKNOWN_STANDING)
      throw wrong(column, `has “${text}” in no row. Use is empty for all rows without dollars.`);
    if (currencies !== null) return ofStanding({ column, how, text }, currencies);
  }
  if (column.kind === 'cents') return ofAmount({ column, how, text }, known.columns);
  if (column.kind === 'timestamp') return ofMoment({ column, how, text });
  if (isShare(column) && text.endsWith('%')) return ofShare({ column, how, text });
  const { spellings } = known;
  if (isSpelled(column, how) && spellings.length > 0 && !spellings.includes(text))
    return spellings.map((spelled) => [parameterOf(name, how), spelled] as const);
  return [[parameterOf(name, how), valueOf(column, text)]];
}

/** True if the filter takes any upper or lower case of the values that the table has. */
export function isSpelled(column: Column, how: Way): boolean {
  const isWords = isText(column) && column.kind !== 'json' && (column.values ?? []).length === 0;
  return isWords && (how === 'is' || how === 'not');
}

/** The words in the place of dollars mean all rows of a currency without dollars. */
function ofStanding({ column, how, text }: Typed, currencies: readonly string[]): Given {
  if (how !== 'is') throw wrong(column, `can be compared with “${text}” by is alone. Or use is not empty.`);
  return [[column.name, ''], ...currencies.map((currency) => ['currency', currency] as const)];
}

/** The page shows a missing value as the word "none", unless a value of the column is this word. */
function isNone({ values = [] }: Column, text: string): boolean {
  return text.toLowerCase() === 'none' && !values.includes('none');
}

function isRange(how: Way): boolean {
  return how === 'from' || how === 'through';
}

function parameterOf(name: string, how: Way): string {
  return how === 'is' ? name : `${name}_${how}`;
}

function wrong(column: Column, words: string) {
  return refusedParameter(`${shownColumn(column)} ${words}`);
}

/** Initiatives and vendors are named by name, or by id; parts of names find them too. */
function ofName({ column, how, text }: Typed, names: ReadonlyMap<unknown, string>): Given {
  const wanted = text.toLowerCase();
  const fits = (own: string): boolean =>
    how === 'contains' ? own.toLowerCase().includes(wanted) : own.trim().toLowerCase() === wanted;
  const ids = [...names].filter(([, own]) => fits(own)).map(([id]) => String(id));
  const name = parameterOf(column.name, how === 'contains' ? 'is' : how);
  if (ids.length > 0 && !isRange(how)) return ids.map((id) => [name, id] as const);
  if (/^\d{1,19}$/.test(text) && how !== 'contains') return [[name, text]];
  const [own, one] = column.references === 'initiatives' ? ['title', 'initiative'] : ['name', 'vendor'];
  if (isRange(how)) {
    throw wrong(
      column,
      `${WAYS_TO_COMPARE[how]} compares ids, which are whole numbers. Use is for a ${own}.`,
    );
  }
  throw wrong(
    column,
    `${WAYS_TO_COMPARE[how]} a ${own}: no ${one} of this snapshot has it. Write the ${own} as the table shows it, or use contains.`,
  );
}

/** A sign, a currency and an amount, as the page shows them; the sign may follow the currency. */
const AMOUNT =
  /^([-−+]?)(?:(US\$|\$|[A-Z]{3})\s*)?([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?(?:\s*([A-Z]{3}))?$/;
const GREATEST = 2n ** 63n - 1n;

function ofAmount({ column, how, text }: Typed, columns: readonly Column[]): Given {
  const plain = text.replaceAll('\u{2060}', '');
  const [, sign, before, inner, integer = '', fraction = '', after] = AMOUNT.exec(plain) ?? [];
  const size = BigInt(integer.replaceAll(',', '') + fraction.padEnd(2, '0'));
  if (integer === '' || size > GREATEST || ((sign ?? '') !== '' && (inner ?? '') !== ''))
    throw wrong(column, 'needs an amount with at most two decimals, for example 1,250.00.');
  const isBelow = /[-−]/.test(`${sign}${inner}`) && size > 0n;
  const named = (before ?? after ?? '').replace(/^(?:US)?\$$/, 'USD');
  const filter = [parameterOf(column.name, how), `${isBelow ? '-' : ''}${size}`] as const;
  if (named === '') return [filter];
  if (hasOwnCurrency(column, columns)) return [filter, ['currency', named]];
  if (named === 'USD') return [filter];
  throw wrong(column, 'has US dollars only. The currency of a row is in another column.');
}

const MINUTE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(?: UTC)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The page shows a moment to the minute, so a minute or a day is all its moments. */
function ofMoment({ column, how, text }: Typed): Given {
  const { name } = column;
  const [, day, minute] = MINUTE.exec(text) ?? [];
  const first = day === undefined ? text : `${day}T${minute}:00Z`;
  const last = day === undefined ? text : `${day}T${minute}:59.999999Z`;
  if (how === 'not')
    throw wrong(column, 'cannot be compared by is not. Use from or through with a day or a minute.');
  if (isRange(how)) return [[`${name}_${how}`, how === 'from' ? first : last]];
  if (day === undefined && !DAY.test(text)) return [[name, text]];
  return [
    [`${name}_from`, first],
    [`${name}_through`, last],
  ];
}

const PERCENT = /^([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,10})?\s*%$/;

/** The page rounds a ratio, so a percentage is all ratios that are shown as it. */
function ofShare({ column, how, text }: Typed): Given {
  const [, sign, integer = '', fraction = ''] = PERCENT.exec(text) ?? [];
  if (integer === '') throw wrong(column, 'needs a percentage, for example 12.5 %.');
  if (how === 'not') throw wrong(column, 'cannot be compared by is not. Use from or through.');
  const percent = Number(`${sign === '' ? '' : '-'}${integer.replaceAll(',', '')}${fraction}`);
  const half = 0.5 / 10 ** Math.max(fraction.length - 1, 0);
  const bound = (end: 'from' | 'through', more: number) =>
    [`${column.name}_${end}`, String(Number(((percent + more) / 100).toFixed(14)))] as const;
  const both = [bound('from', -half), bound('through', half)] as const;
  return how === 'from' ? [both[0]] : how === 'through' ? [both[1]] : both;
}

const MONTH = /^([a-z]{3,9})\.? (\d{4})$/i;

/** A word without what people leave out of names: `cost savings` is `cost_savings`. */
function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function valueOf(column: Column, text: string): string {
  const { kind, values = [] } = column;
  if (kind === 'boolean') return { yes: 'true', no: 'false' }[text.toLowerCase()] ?? text;
  if (kind === 'number' || kind === 'integer')
    return text
      .replace(/^−/, '-')
      .replace(/^-?\d{1,3}(?:,\d{3})+(?=\.|$)/, (digits) => digits.replaceAll(',', ''));
  const [, month = '', year] = isMonth(column) ? (MONTH.exec(text) ?? []) : [];
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.slice(0, 3).toLowerCase());
  if (index >= 0) return `${year}-${String(index + 1).padStart(2, '0')}`;
  return values.find((value) => value === text) ?? values.find((value) => bare(value) === bare(text)) ?? text;
}
