/** The cells of rows as a person reads them: amounts, days, names of initiatives, and links along keys. */
import { html } from 'hono/html';
import { shownCount } from '../../format.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import { namesIn, type Names } from '../../snapshot/read/sheet-cells.ts';
import { TABLES } from '../../tables/all.ts';
import type { Column, Table } from '../../tables/table.ts';
import {
  shownAmount,
  shownDay,
  shownDollars,
  shownMoment,
  shownMonth,
  shownShare,
} from '../frame/shown-values.ts';
import type { Html } from '../frame/site-layout.ts';
import { isMonth, parseMoment } from './row-query.ts';

/** The column of dollars: a row without them waits for a rate, and is in no total. */
export const DOLLARS = 'usd_amount_cents';
/** A longer text is folded: the reader opens it with a click. */
const LONG_TEXT = 160;

/** True for a column whose cents are of the row's own currency. */
export function hasOwnCurrency({ kind, name }: Column, columns: readonly Column[]): boolean {
  return kind === 'cents' && !name.startsWith('usd_') && columns.some((column) => column.name === 'currency');
}

/** The name of a column as a heading: without its unit, in words. */
export function shownColumn({ name, kind }: Column): string {
  // The column of `reported_totals` is narrower than the ROI of pages and answers.
  if (name === 'roi') return 'ROI with cash value';
  // Beside the one name of the vendor.
  if (name === 'vendor_name') return 'Vendor as recorded';
  const bare =
    kind === 'cents' ? name.replace(/_cents$/, '') : kind === 'id' ? name.replace(/_id$/, '') : name;
  const words = bare.replace(/^usd_amount$/, 'dollars').replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** True for a column whose cells are aligned at the right. */
export function isFigure({ kind }: Column): boolean {
  return kind === 'cents' || kind === 'number' || kind === 'integer';
}

/** True for a column of ratios, which people read as percentages. */
export function isShare({ name }: Column): boolean {
  return name === 'roi';
}

/** A value without markup, as in a filter or a facet. */
export function shownText(column: Column, value: FieldValue, idNames: Names): string {
  if (value === null) return 'none';
  const names = namesIn(column, idNames);
  if (names !== null) return names.get(value) ?? String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // The page shows only the month.
  if (typeof value === 'string' && isMonth(column)) return shownMonth(value);
  if (isShare(column) && typeof value === 'number') return shownShare(value);
  if (column.kind === 'number' || column.kind === 'integer') return String(value).replace('-', '−');
  if (column.kind === 'cents' && typeof value === 'bigint') return shownDollars(value);
  return String(value);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A value without a link; a day or an instant is a time, in which no line breaks. Addresses and comparisons give them as texts. */
export function valueContent(column: Column, value: FieldValue, idNames: Names): Html | string {
  const isTime = (column.kind === 'timestamp' || column.kind === 'date') && !isMonth(column);
  if (isTime && typeof value === 'string' && DAY.test(value)) return shownDay(value);
  const moment = isTime && typeof value === 'string' ? parseMoment(value) : value;
  if (isTime && typeof moment === 'bigint') return shownMoment(moment);
  return shownText(column, value, idNames);
}

interface CellOf {
  readonly column: Column;
  readonly value: FieldValue;
  /** The currency of the row; null for US dollars. */
  readonly currency: string | null;
  readonly idNames: Names;
  /** The table of the row. */
  readonly table: Table;
  /** The beginning of a relative address to the rows of another table, before the name of the table. */
  readonly to: string;
  /** What stands in the place of missing dollars. */
  readonly standing: () => string;
}

/** The content of a cell. */
export function cellContent({
  column,
  value,
  currency,
  idNames,
  table,
  to,
  standing,
}: CellOf): Html | string {
  if (value === null && column.name === DOLLARS) return html`<span class="mark">${standing()}</span>`;
  if (value === null) return html`<span class="unknown">none</span>`;
  if (column.kind === 'cents' && typeof value === 'bigint') return shownAmount(value, currency);
  if (column.kind === 'timestamp' || column.kind === 'date') return valueContent(column, value, idNames);
  const text = shownText(column, value, idNames);
  const target = targetOf(column, table);
  if (target !== null)
    return html`<a href="${to}${target}?${column.name}=${encodeURIComponent(String(value))}">${text}</a>`;
  if (/^https?:\/\//.test(text)) return html`<a href="${text}" rel="noreferrer">Open</a>`;
  if (text.length <= LONG_TEXT) return text;
  return html`<details>
    <summary>${text.slice(0, LONG_TEXT / 2)}… ${shownCount(text.length)} characters</summary>
    ${text}
  </details>`;
}

/** The table whose rows the column's value identifies; also the row's own table, whose link shows the row alone. */
function targetOf({ name, references }: Column, table: Table): string | null {
  if (references !== undefined) return references;
  const keyed = TABLES.find(({ key }) => key.length === 1 && key[0] === name);
  return keyed?.name ?? (table.key.length === 1 && table.key[0] === name ? table.name : null);
}

/** The tables with rows that refer to a row of this table, and the column in which they do. */
export function referringTables(table: Table): readonly { readonly name: string; readonly column: string }[] {
  const [key] = table.key;
  if (key === undefined || table.key.length > 1 || table.name === 'snapshot') return [];
  return TABLES.filter(
    ({ name, columns }) => name !== table.name && columns.some((column) => column.name === key),
  ).map(({ name }) => ({ name, column: key }));
}
