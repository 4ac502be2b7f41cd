/** Seeded questions about a table's rows, as the address of a view and as SQL for DuckDB. */
import type { FieldKind } from '../../../src/fields.ts';
import type { Column, Table } from '../../../src/tables/table.ts';
import { formatInstant } from '../../../src/time.ts';

/** A cell as DuckDB answers it: the columns of our files have no other types. */
export type Cell = string | number | bigint | boolean | null;

interface RowQuestion {
  readonly address: string;
  /** The condition on the rows of `file`, and their order. */
  readonly sql: string;
}

/** Numbers from 0 up to but not including 1; the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The value in an address, as the column's kind is written there. */
function inAddress(kind: FieldKind, value: Cell): string {
  return kind === 'timestamp' ? formatInstant(BigInt(String(value))) : String(value);
}

function inSql(kind: FieldKind, value: Cell): string {
  if (kind === 'timestamp') return `make_timestamptz(${String(value)})`;
  if (kind === 'boolean' || kind === 'number') return String(value);
  return kind === 'id' || kind === 'cents' || kind === 'integer'
    ? String(value)
    : `'${String(value).replaceAll("'", "''")}'`;
}

/** How a test reads the columns of the file in DuckDB: days as texts, instants as microseconds. */
export function readAs(table: Table): string {
  return table.columns
    .map(({ name, kind }) => {
      if (kind === 'timestamp') return `epoch_us("${name}") as "${name}"`;
      return kind === 'date' ? `"${name}"::varchar as "${name}"` : `"${name}"`;
    })
    .join(', ');
}

/** A filter of one column by values of its own: any of two values, or a range. */
function filterBy({ name, kind }: Column, [a, b]: readonly [Cell, Cell], ranged: boolean) {
  const given: (readonly [string, string])[] = [];
  if (ranged && a !== null) {
    given.push([`${name}_from`, inAddress(kind, a)]);
    if (b === null) return { given, condition: `"${name}" >= ${inSql(kind, a)}` };
    given.push([`${name}_through`, inAddress(kind, b)]);
    return { given, condition: `"${name}" between ${inSql(kind, a)} and ${inSql(kind, b)}` };
  }
  const values = [...new Set([a, b])];
  for (const value of values) given.push([name, value === null ? '' : inAddress(kind, value)]);
  const any = values.map((value) =>
    value === null ? `"${name}" is null` : `"${name}" = ${inSql(kind, value)}`,
  );
  return { given, condition: `(${any.join(' or ')})` };
}

/** Questions whose values come from the rows of the table. */
export function questionsAbout(
  table: Table,
  rows: readonly Record<string, Cell>[],
  seed: number,
  count: number,
): readonly RowQuestion[] {
  const next = numbersFrom(seed);
  const pick = <One>(list: readonly One[]): One | undefined => list[Math.floor(next() * list.length)];
  const isColumn = (name: string): boolean => table.columns.some((column) => column.name === name);
  return Array.from({ length: count }, () => {
    const parameters = new URLSearchParams();
    const conditions: string[] = [];
    const columns = new Set([pick(table.columns), pick(table.columns)].slice(Math.floor(next() * 3)));
    for (const column of columns) {
      if (column === undefined) continue;
      const pair = [pick(rows)?.[column.name] ?? null, pick(rows)?.[column.name] ?? null] as const;
      // In an address an empty text is a missing value.
      if (pair.includes('')) continue;
      const has_range =
        column.kind !== 'boolean' && column.kind !== 'json' && !isColumn(`${column.name}_from`);
      const { given, condition } = filterBy(column, pair, has_range && next() < 0.4);
      for (const [name, value] of given) parameters.append(name, value);
      conditions.push(condition);
    }
    const sort = next() < 0.5 ? pick(table.columns) : undefined;
    const descending = next() < 0.5;
    if (sort !== undefined) parameters.append('sort', `${descending ? '-' : ''}${sort.name}`);
    const order = sort === undefined ? '' : `"${sort.name}" ${descending ? 'desc' : 'asc'} nulls last, `;
    const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
    return { address: `?${parameters.toString()}`, sql: `where ${where} order by ${order}file_row_number` };
  });
}

/** The cells of a page, row by row. */
export function cellsIn(page: string): readonly (readonly string[])[] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(page) ?? [];
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = '']) =>
        cell
          .replaceAll(/<[^>]+>/g, '')
          .replaceAll('\u{2060}', '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    );
}
