/**
 * The control totals of columns that a reporting table copies unchanged from a base table of the ledger: counts, sums and a
 * fingerprint. PostgreSQL computes them in the base table, and DuckDB in the file. A wrong expression can only refuse a snapshot;
 * `schema/audit/COVERAGE` finds a column that is left out.
 */
import type { Placeholders } from '../sql-scripts.ts';
import { TABLES } from './all.ts';
import type { Column, Copied, Table } from './table.ts';

/** The side of an expression in `Copied`: its index in a pair. */
const FILE = 0;
const BASE = 1;
type Side = typeof FILE | typeof BASE;

type CopiedTable = Table & { readonly copied: Copied };

/** The tables with copied columns by their names. */
export const COPIED_TABLES: ReadonlyMap<string, CopiedTable> = new Map(
  TABLES.flatMap((table) =>
    table.copied === undefined ? [] : [[table.name, { ...table, copied: table.copied }] as const],
  ),
);

/** The placeholders of `schema/audit/30-each-check-control.sql` for a table. */
export function filePlaceholders(table: CopiedTable): Placeholders {
  const { base, by, only = {} } = table.copied;
  const figures = figuresOf(table, FILE);
  return {
    base_table: base,
    by: by.join(', '),
    group: saidTogether(by),
    group_of_totals: saidTogether(by.map(figure)),
    only: Object.entries(only)
      .map(([name, value]) => ` and ${figure(name)} = '${value}'`)
      .join(''),
    figures: [...figures, ['fingerprint', fingerprintOf(table, FILE)] as const]
      .map(([name, sql]) => `${sql}::text as ${name}`)
      .join(',\n      '),
    figure_names: [...figures.map(([name]) => name), 'fingerprint'].map((name) => `'${name}'`).join(', '),
  };
}

/** A figure of a row of the control totals. */
function figure(name: string): string {
  return `figures['${name}']`;
}

/** The placeholders of the control totals of a base table in `schema/control`; none for a table without copied columns. */
export function basePlaceholders(base_table: string): Placeholders {
  const table = COPIED_TABLES.values().find(({ copied }) => copied.base === base_table);
  if (table === undefined) return {};
  return {
    figures: figuresOf(table, BASE)
      .map(([name, sql]) => `${sql} as ${name}`)
      .join(',\n  '),
    fingerprint: fingerprintOf(table, BASE),
  };
}

/** The values as one text; the audit's macro `said` names an empty value. */
function saidTogether(values: readonly string[]): string {
  return `concat_ws(' ', ${values.map((value) => `said(${value})`).join(', ')})`;
}

/** The counts and sums by name, without the fingerprint. */
function figuresOf(table: CopiedTable, side: Side): readonly (readonly [name: string, sql: string])[] {
  const { counts, sums, figures = {} } = table.copied;
  const id = side === FILE ? table.key.join() : 'id';
  return [
    ['rows', 'count(*)'],
    ['least_id', `min(${id})`],
    ['greatest_id', `max(${id})`],
    ...sums.map((column) => [column, `coalesce(sum(${column}), 0)`] as const),
    ...Object.entries(counts).map(
      ([name, column]) => [name, `count(${typeof column === 'string' ? column : column[side]})`] as const,
    ),
    ...Object.entries(figures),
  ];
}

/** The sum of sixty bits of each row's digest: two sets of rows with equal sums are equal. */
function fingerprintOf(table: CopiedTable, side: Side): string {
  const { except } = table.copied;
  const texts = table.columns
    .filter(({ name, from }) => from !== null && !except.includes(name))
    .map((column) => textOf(table, column, side));
  const text = `concat_ws(chr(31),\n    ${texts.join(',\n    ')})`;
  return side === FILE
    ? `sum(digest_bits(${text}))`
    : `sum(('x' || left(md5(${text}), 15))::bit(60)::bigint)`;
}

/** A cell as text, the same in both engines; an empty cell as an empty text. */
function textOf({ key, copied }: CopiedTable, { name, kind, nullable }: Column, side: Side): string {
  const column = side === BASE && key.includes(name) ? 'id' : name;
  const instant = side === FILE ? `epoch_us(${column})` : `(extract(epoch from ${column}) * 1000000)::bigint`;
  const cell = copied.texts?.[name]?.[side] ?? (kind === 'timestamp' ? instant : column);
  return nullable ? `coalesce(${cell}::text, '')` : `${cell}::text`;
}
