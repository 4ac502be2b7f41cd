/**
 * Compares what a Parquet footer states with the manifest, the declaration and the digests, which another engine computed from
 * the values. A wrong minimum hides rows from its readers, and a wrong count is what they count.
 */
import type { FooterNumbers } from '../../parquet/footer-numbers.ts';
import type { TableDescription } from '../../tables/describe.ts';
import { fieldId } from '../../tables/table.ts';
import type { TableDigest } from '../../warehouse/digests.ts';

/** What is known of a table besides its footer. */
export interface KnownTable {
  readonly row_count: number;
  readonly columns: readonly Pick<TableDescription['columns'][number], 'name' | 'type' | 'nullable'>[];
  /** Undefined in a snapshot without digests. */
  readonly digest: TableDigest | undefined;
}

/** The kinds whose least and greatest values a footer states exactly. */
const ORDERED = ['id', 'cents', 'integer', 'date', 'timestamp'];

/** True if a footer states the exact limits of such a column; texts may be cut, and numbers with a fraction may be NaN. */
export function hasExactEnds({ type }: KnownTable['columns'][number]): boolean {
  return ORDERED.includes(type);
}

/** The first difference, as a clause; null if there is none. A number that the footer does not state differs from nothing. */
export function footerFault(table: KnownTable, footer: FooterNumbers): string | null {
  if (footer.rows !== table.row_count) {
    return `states ${footer.rows} rows, expected ${table.row_count}`;
  }
  const [found, expected] = [footer.columns, table.columns].map((columns) =>
    columns.map(({ name }) => name).join(', '),
  );
  if (found !== expected) return `has the columns ${found}, expected ${expected}`;
  const digests = new Map(table.digest?.columns.map((column) => [column.name, column]));
  for (const [index, stated] of footer.columns.entries()) {
    const column = table.columns[index];
    const digest = digests.get(stated.name);
    if (column === undefined) continue;
    if (stated.field_id !== fieldId(index)) {
      return `gives ${stated.name} the field id ${stated.field_id}, expected ${fieldId(index)}`;
    }
    const nulls = column.nullable ? (digest?.nulls ?? null) : '0';
    if (nulls !== null && stated.nulls !== null && String(stated.nulls) !== nulls) {
      return `states ${stated.nulls} empty values of ${stated.name}, expected ${nulls}`;
    }
    if (!hasExactEnds(column)) continue;
    for (const end of ['least', 'greatest'] as const) {
      const known = digest?.[end];
      if (known !== undefined && stated[end] !== null && stated[end] !== known) {
        return `states ${stated[end]} as the ${end} value of ${stated.name}, expected ${known ?? 'none'}`;
      }
    }
  }
  return null;
}
