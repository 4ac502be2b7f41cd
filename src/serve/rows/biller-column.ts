/** A column of the rows of `ai_spend` that the file does not have: who billed it, by the name that every page shows. */
import { nameBillers } from '../../figures/ai-spend.ts';
import { storedTableNamed } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import { readConnections } from '../../snapshot/read/connections.ts';
import { cellAt, numberOf, type RowRange, type RowsOf, type TableRows } from '../../snapshot/read/rows.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { Reporting } from '../../tables/all.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { column } from '../../tables/table.ts';

/** The column. */
export const BILLER = column(
  'biller',
  'string?',
  'Who billed it, by the one name of vendors, platforms and connections.',
);
const NAMED_BY = ['source_kind', 'connection_id', 'platform', 'connection_name', 'vendor_name'] as const;

/** The rows of `ai_spend` with the column. Its names also come from another file, whose digest is `named_by`. */
export async function withBillers(
  snapshots: Pick<SnapshotReader, 'openRows'>,
  account_id: bigint,
  snapshot: ReadableSnapshot,
  rows: RowsOf<Reporting['ai_spend']>,
): Promise<{
  readonly rows: TableRows;
  readonly named_by: string;
  readonly billerOf: (row: number) => string;
}> {
  const stored = storedTableNamed(snapshot, COMPANIONS.integrations.name);
  const companion =
    stored === undefined
      ? null
      : await snapshots.openRows(account_id, snapshot.snapshot_id, COMPANIONS.integrations);
  const connections = await readConnections(companion);
  const payees = [];
  for await (const piece of rows.read(NAMED_BY)) {
    const [kinds, ids, platforms, names, vendors] = piece.columns;
    for (let row = 0; row < piece.rows; row += 1) {
      payees.push({
        source_kind: cellAt(kinds, row),
        connection_id: cellAt(ids, row),
        platform: cellAt(platforms, row),
        connection_name: cellAt(names, row),
        vendor_name: cellAt(vendors, row),
      });
    }
  }
  const billers = nameBillers(payees, connections).map(({ biller }) => biller);
  return {
    rows: withColumn(rows, billers),
    named_by: stored?.sha256 ?? '',
    billerOf: (row) => billers[row] ?? '',
  };
}

/** The table with one column more; `values` has its value of each row. */
function withColumn(rows: TableRows, values: readonly (string | null)[]): TableRows {
  return {
    ...rows,
    columns: [...rows.columns, BILLER],
    groups: rows.groups.map((group) => ({
      ...group,
      least: (name) => (name === BILLER.name ? null : group.least(name)),
      greatest: (name) => (name === BILLER.name ? null : group.greatest(name)),
    })),
    async *read(names, range: RowRange = {}) {
      const stored = names.filter((name) => name !== BILLER.name);
      // A piece has as many rows as the file has: a column of the file must be read.
      const read = stored.length > 0 ? stored : [NAMED_BY[0]];
      // The file lacks this column, so its test leaves no row out.
      const { [BILLER.name]: _, ...where } = range.where ?? {};
      for await (const piece of rows.read(read, { ...range, where })) {
        const own = Array.from({ length: piece.rows }, (__, row) => values[numberOf(piece, row)] ?? null);
        yield {
          ...piece,
          columns: names.map((name) =>
            name === BILLER.name ? own : (piece.columns[read.indexOf(name)] ?? []),
          ),
        };
      }
    },
  };
}
