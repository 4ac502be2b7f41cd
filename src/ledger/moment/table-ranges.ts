/** Cuts the rows of a table into ranges of its key, each of whole row groups, so that several connections can read them. */
import { type ClientBase, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import type { FieldKind } from '../../fields.ts';
import type { Column, Table } from '../../tables/table.ts';
import { filledIn, instantLiteral, type SelectParameters, splitOrder } from './table-select.ts';

/** The values of a key's columns, as texts. */
type Key = readonly string[];

/** Consecutive rows of a table. */
export interface KeyRange {
  /** The key of its first row. */
  readonly from: Key;
  /** The key of the first row after it; null for the last range. */
  readonly to: Key | null;
  readonly rows: number;
}

interface Cut {
  /** Each range but the last has a multiple of so many rows. */
  readonly group_rows: number;
  /** The maximum number of ranges. */
  readonly ranges: number;
}

/** How SQL reads a value of a key as a text, and how the value is written into SQL. */
interface KeyKind {
  readonly text: (sql: string) => string;
  readonly literal: (value: string) => string;
}

const ID: KeyKind = { text: (sql) => `(${sql})::text`, literal: (value) => `bigint '${BigInt(value)}'` };
const TEXT: KeyKind = { text: (sql) => `(${sql})::text`, literal: escapeLiteral };
// The text of an instant depends on settings of the session; its number of microseconds does not.
const INSTANT: KeyKind = {
  text: (sql) => `(extract(epoch from ${sql}) * 1000000)::bigint::text`,
  literal: (value) => instantLiteral(BigInt(value)),
};
const KEY_KINDS: Partial<Record<FieldKind, KeyKind>> = {
  id: ID,
  string: TEXT,
  text: TEXT,
  timestamp: INSTANT,
};

/** True for a table that is selected in the order of a key of ids, texts and instants that are never empty. */
export function canBeCut(table: Table): boolean {
  const columns = keyOf(table);
  return (
    table.from !== null &&
    splitOrder(table.from).order.length === table.key.length &&
    columns.every(
      (column) => column !== undefined && column.from !== null && !column.nullable && KEY_KINDS[column.kind],
    )
  );
}

/**
 * The ranges of a table. They depend only on the rows, the size of a row group and the number of ranges; each range but the
 * last has whole row groups. PostgreSQL reads the keys with the filter of the table's own select.
 */
export async function cutTable(
  client: ClientBase,
  table: Table,
  parameters: SelectParameters,
  { group_rows, ranges }: Cut,
): Promise<readonly KeyRange[]> {
  const { rows, order } = splitOrder(table.from ?? '');
  const texts = order.map((each, index) => kindOf(table, index).text(each));
  const starts = await readStatement(client, {
    name: `ranges of ${table.name}`,
    text: filledIn(
      `select n, key from (
        select row_number() over keys as n, array[${texts.join(', ')}] as key,
          lead(true) over keys is null as is_last
        from ${rows} window keys as (order by ${order.join(', ')})
      ) numbered where (n - 1) % ${group_rows} = 0 or is_last order by n`,
      parameters,
    ),
    columns: { n: 'int8', key: 'text[]' },
  });
  const total = Number(starts.at(-1)?.n ?? 0n);
  const groups = Math.ceil(total / group_rows);
  const count = Math.min(ranges, groups);
  const borders = Array.from({ length: count + 1 }, (_, index) => Math.floor((groups * index) / count));
  return borders.slice(1).map((end, index) => {
    const start = borders[index] ?? 0;
    return {
      from: starts[start]?.key ?? [],
      to: end === groups ? null : (starts[end]?.key ?? []),
      rows: Math.min(end * group_rows, total) - start * group_rows,
    };
  });
}

/** The condition that selects the rows of a range within the table's own select. */
export function conditionOf(table: Table, range: KeyRange): string {
  return conditionOn(table, splitOrder(table.from ?? '').order, range);
}

/** The same on the result of the select, whose columns have their published names. */
export function publishedCondition(table: Table, range: KeyRange): string {
  const { order } = splitOrder(table.from ?? '');
  const named = table.key.map(
    (name, index) => `${name}${/ collate "C"$/.exec(order[index] ?? '')?.[0] ?? ''}`,
  );
  return conditionOn(table, named, range);
}

/** `order` are the expressions of the key. */
function conditionOn(table: Table, order: readonly string[], { from, to }: KeyRange): string {
  const keyed = `(${order.join(', ')})`;
  const literals = (key: Key): readonly string[] =>
    table.key.map((_, index) => {
      const value = key[index];
      if (value === undefined) throw new RangeError(`the key of a range of ${table.name} lacks a value`);
      return kindOf(table, index).literal(value);
    });
  // An index serves the comparison of the first column also where it does not serve that of the whole key.
  const least = literals(from);
  const lower = `${order[0]} >= ${least[0]} and ${keyed} >= (${least.join(', ')})`;
  if (to === null) return lower;
  const end = literals(to);
  return `${lower} and ${order[0]} <= ${end[0]} and ${keyed} < (${end.join(', ')})`;
}

/** The kind of a column of the key. */
function kindOf(table: Table, index: number): KeyKind {
  const column = keyOf(table)[index];
  const kind = column === undefined ? undefined : KEY_KINDS[column.kind];
  if (kind === undefined) throw new RangeError(`${table.name} has a key that cannot be cut`);
  return kind;
}

function keyOf({ key, columns }: Table): readonly (Column | undefined)[] {
  return key.map((name) => columns.find((column) => column.name === name));
}
