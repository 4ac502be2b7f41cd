/** The view of a table that an address asks for: filters, order, columns and page; a wrong address is refused in words. */
import type { FieldKind } from '../../fields.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { Column, Table } from '../../tables/table.ts';
import type { Instant } from '../../instant.ts';
import { parseInstant } from '../../time.ts';
import { refusedParameter } from '../http/parameters.ts';

/** What one column must be; all parts that are given must hold. */
export interface ColumnFilter {
  readonly column: Column;
  /** Any of these; null is a missing value. Every value if empty. */
  readonly values: ReadonlySet<FieldValue>;
  /** Values that are hidden. */
  readonly not?: ReadonlySet<FieldValue>;
  /** Each of these in the text, in lower case. */
  readonly contains?: readonly string[];
  readonly from: FieldValue;
  readonly through: FieldValue;
}

export interface RowOrder {
  readonly column: Column;
  readonly descending: boolean;
}

export interface RowQuery {
  readonly filters: readonly ColumnFilter[];
  /** The order of the file if null. */
  readonly sort: RowOrder | null;
  /** Null for the table's own choice. */
  readonly columns: readonly string[] | null;
  /** From 1. */
  readonly page: number;
  /** The filters as they stand in the address, in its order. */
  readonly given: readonly (readonly [name: string, value: string])[];
}

/** Parameters of a view that are not columns. No column of a table has one of these names. */
export const RESERVED = [
  'sort',
  'columns',
  'page',
  'spreadsheet',
  'add_column',
  'add_how',
  'add_value',
  'show_column',
  'snapshot',
] as const;

const MAX_FILTERS = 100;
const MAX_PAGE_NUMBER = 100_000_000;
/** What the name of a column may end in, and so how its values are compared. */
const ENDINGS = ['from', 'through', 'not', 'contains'] as const;
type Ending = (typeof ENDINGS)[number];
const LAST_OF_DAY = 'T23:59:59.999999Z';

interface OpenFilter {
  readonly values: Set<FieldValue>;
  readonly not: Set<FieldValue>;
  readonly contains: string[];
  from: FieldValue;
  through: FieldValue;
}

/** Reads the address of a view. `columns` are those that the file has. */
export function readRowQuery(
  parameters: URLSearchParams,
  table: Table,
  columns: readonly Column[],
): RowQuery {
  const filters = new Map<Column, OpenFilter>();
  const given: (readonly [string, string])[] = [];
  for (const [name, text] of parameters) {
    if (isReserved(name)) {
      if (parameters.getAll(name).length > 1)
        throw refusedParameter(`The parameter ${name} was given more than once.`);
      continue;
    }
    const { column, end } = filterOf(name, table, columns);
    const filter = filters.get(column) ?? {
      values: new Set(),
      not: new Set(),
      contains: [],
      from: null,
      through: null,
    };
    filters.set(column, filter);
    if (end === null) filter.values.add(text === '' ? null : parseValue(column, text, name));
    else if (end === 'not') filter.not.add(text === '' ? null : parseValue(column, text, name));
    else if (end === 'contains') filter.contains.push(parsePart(text, name));
    else if (filter[end] === null) filter[end] = parseBound(column, text, name, end);
    else throw refusedParameter(`The parameter ${name} was given more than once.`);
    given.push([name, text]);
    if (given.length > MAX_FILTERS) throw refusedParameter(`A view has at most ${MAX_FILTERS} filters.`);
  }
  return {
    filters: [...filters].map(([column, filter]) => ({ column, ...filter })),
    sort: sortOf(parameters.get('sort'), table, columns),
    columns: columnsOf(parameters.get('columns'), table, columns),
    page: pageOf(parameters.get('page')),
    given,
  };
}

/** The parameters of a view with another filter, order, column or page; empty for a view without any. */
export function addressOf(query: RowQuery, change: Partial<Omit<RowQuery, 'filters'>> = {}): string {
  const { given, sort, columns, page } = { ...query, page: 1, ...change };
  const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value]));
  if (sort !== null) parameters.append('sort', `${sort.descending ? '-' : ''}${sort.column.name}`);
  if (columns !== null) parameters.append('columns', columns.join(','));
  if (page !== 1) parameters.append('page', String(page));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** True for a column whose days are always the first of a month. */
export function isMonth({ name, kind }: Pick<Column, 'name' | 'kind'>): boolean {
  return kind === 'date' && (name === 'month' || name === 'period_month');
}

/** True for a kind of which values lie between others. */
export function isOrdered({ kind }: Column): boolean {
  return kind !== 'boolean' && kind !== 'json';
}

/** True for a kind whose values are texts, of which a part can be searched. */
export function isText({ kind }: Column): boolean {
  return kind === 'string' || kind === 'text' || kind === 'json';
}

function isReserved(name: string): boolean {
  return (RESERVED as readonly string[]).includes(name);
}

/** The column that a parameter filters: a column of that very name wins over a range of another. */
function filterOf(
  name: string,
  table: Table,
  columns: readonly Column[],
): { readonly column: Column; readonly end: Ending | null } {
  const named = columnNamed(name, columns);
  if (named === undefined) {
    throw refusedParameter(
      `${table.name} has no column ${quotedName(name)} in this snapshot. ${namesOf(columns)} End a name in _from or _through for a range, in _not for other values, or in _contains for a part of a text.`,
    );
  }
  const { column, end } = named;
  if (end === 'contains' && !isText(column))
    throw refusedParameter(`${column.name} is no text that contains another. Use ${column.name}=.`);
  if ((end === 'from' || end === 'through') && !isOrdered(column))
    throw refusedParameter(`${column.name} has no range: its values have no order. Use ${column.name}=.`);
  return named;
}

/** The column that the name of a parameter names, and its ending; undefined if there is none. */
export function columnNamed(
  name: string,
  columns: readonly Column[],
): { readonly column: Column; readonly end: Ending | null } | undefined {
  const same = columns.find((column) => column.name === name);
  if (same !== undefined) return { column: same, end: null };
  for (const end of ENDINGS) {
    const column = columns.find((each) => `${each.name}_${end}` === name);
    if (column !== undefined) return { column, end };
  }
  return undefined;
}

function sortOf(text: string | null, table: Table, columns: readonly Column[]): RowOrder | null {
  if (text === null || text === '') return null;
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = columns.find((each) => each.name === name);
  if (column !== undefined) return { column, descending };
  throw refusedParameter(`sort: ${table.name} has no column ${quotedName(name)}. ${namesOf(columns)}`);
}

function columnsOf(text: string | null, table: Table, columns: readonly Column[]): readonly string[] | null {
  if (text === null || text === '') return null;
  const names = [...new Set(text.split(','))];
  const unknown = names.find((name) => !columns.some((column) => column.name === name));
  if (unknown === undefined) return names;
  throw refusedParameter(`columns: ${table.name} has no column ${quotedName(unknown)}. ${namesOf(columns)}`);
}

function pageOf(text: string | null): number {
  if (text === null) return 1;
  const page = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (page >= 1 && page <= MAX_PAGE_NUMBER) return page;
  throw refusedParameter('The parameter page must be a whole number from 1.');
}

function parsePart(text: string, name: string): string {
  if (text === '')
    throw refusedParameter(`The parameter ${name} is empty. Give a part of the text, or leave it out.`);
  return text.toLowerCase();
}

function parseBound(column: Column, text: string, name: string, end: 'from' | 'through'): FieldValue {
  if (text === '')
    throw refusedParameter(`The parameter ${name} is empty. Give ${EXPECTED[column.kind]}, or leave it out.`);
  // The last moment of a day belongs to the day.
  if (column.kind === 'timestamp' && end === 'through' && isDay(text))
    return parseInstant(text + LAST_OF_DAY);
  // A bound lies between listed values, so it need not be one of them.
  return parseValue({ ...column, values: [] }, text, name);
}

/** What a value of each kind looks like in an address. */
const EXPECTED: Readonly<Record<FieldKind, string>> = {
  string: 'a text, written as in the table',
  text: 'a text, written as in the table',
  json: 'a text, written as in the table',
  integer: 'a whole number',
  number: 'a number, for example 0.25',
  boolean: 'true or false',
  date: 'a day, for example 2026-04-01',
  timestamp: 'a UTC day or time, for example 2026-04-01 or 2026-04-01T02:00:00Z',
  id: 'a whole number',
  cents: 'a whole number of cents, for example 125000',
};

function parseValue(of: Column, text: string, name: string): FieldValue {
  const { name: column, kind, values = [] } = of;
  if (values.length > 0 && !values.includes(text)) {
    throw refusedParameter(`The parameter ${name}: ${column} is ${expectedOf(of)}.`);
  }
  const value = PARSERS[kind](isMonth(of) && /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text);
  if (value !== null) return value;
  throw refusedParameter(
    `The parameter ${name} must be ${expectedOf(of)}, because ${column} is of type ${kind}.`,
  );
}

/** What a value of the column looks like, in words. */
export function expectedOf(column: Column): string {
  const { kind, values = [] } = column;
  if (values.length > 0) return `one of ${values.join(', ')}`;
  return isMonth(column) ? 'a month, for example 2026-04' : EXPECTED[kind];
}

const PARSERS: Readonly<Record<FieldKind, (text: string) => FieldValue>> = {
  string: (text) => text,
  text: (text) => text,
  json: (text) => text,
  integer: (text) => (/^-?\d{1,10}$/.test(text) ? Number(text) : null),
  number: (text) => {
    const value = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
    return Number.isFinite(value) ? value : null;
  },
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : null),
  date: (text) => (isDay(text) ? text : null),
  timestamp: parseMoment,
  id: parseLong,
  cents: parseLong,
};

const LEAST_LONG = -(2n ** 63n);
const GREATEST_LONG = 2n ** 63n - 1n;

function parseLong(text: string): bigint | null {
  if (!/^-?\d{1,19}$/.test(text)) return null;
  const value = BigInt(text);
  return value >= LEAST_LONG && value <= GREATEST_LONG ? value : null;
}

/** A day or a UTC time of an address; null for any other text. */
export function parseMoment(text: string): Instant | null {
  if (isDay(text)) return parseInstant(`${text}T00:00:00.000000Z`);
  const [, upToSeconds, fraction = ''] = /^(.{19})(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
  return upToSeconds === undefined ? null : parseInstant(`${upToSeconds}.${fraction.padEnd(6, '0')}Z`);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00.000000Z`) !== null;
}

/** A name from the address, short enough for a sentence. */
function quotedName(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}

function namesOf(columns: readonly Column[]): string {
  return `Its columns are ${columns.map(({ name }) => name).join(', ')}.`;
}

/** True if the parameters ask for a CSV that a spreadsheet opens safely. */
export function asksForSpreadsheet(parameters: URLSearchParams): boolean {
  const given = parameters.get('spreadsheet');
  if (given === null || given === 'true' || given === 'false') return given === 'true';
  throw refusedParameter('The parameter spreadsheet must be true or false.');
}
