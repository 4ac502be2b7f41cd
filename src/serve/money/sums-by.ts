/** Sums of a table's amounts for each value of a column, with the same computation as the pages of rows. */
import type { FacetSum } from '../../figures/row-totals.ts';
import type { FieldValue } from '../../snapshot/read/rows.ts';
import type { Reporting } from '../../tables/all.ts';
import type { SnapshotFiles } from '../live/snapshot-files.ts';
import { filterRows } from '../rows/filter-rows.ts';

interface Asked {
  readonly table: keyof Reporting;
  /** The cents column. */
  readonly amount: string;
  readonly by: readonly string[];
  /** The values that a row must have, any of those given for a column. */
  readonly where?: Readonly<Record<string, readonly FieldValue[]>>;
}

export interface SumsBy {
  /** The sums of a column's values, heaviest first. */
  readonly of: (column: string) => readonly FacetSum[];
  /** The sum of all these amounts; null without an amount. */
  readonly total: bigint | null;
  /** How many of these rows have no amount. */
  readonly empty: number;
}

export async function sumsBy(
  files: SnapshotFiles,
  { table, amount, by, where = {} }: Asked,
): Promise<SumsBy> {
  const rows = await files.table(table);
  const filters = rows.columns.flatMap((column) => {
    const values = where[column.name];
    return values === undefined ? [] : [{ column, values: new Set(values), from: null, through: null }];
  });
  // The other cents columns are not read, because nothing here shows their totals.
  const asked = [amount, ...by, ...Object.keys(where)];
  const columns = rows.columns.map(({ name }) => name).filter((name) => asked.includes(name));
  // The result also has the numbers of all matching rows. They are dropped, because the cache would hold them.
  const { facets, totals } = await filterRows(
    rows,
    { filters, sort: null },
    { table, columns, facets: by, amount },
  );
  const total = totals.find(({ column }) => column === amount);
  return {
    of: (column) => facets.get(column) ?? [],
    total: total?.cents ?? null,
    empty: total?.empty ?? 0,
  };
}
