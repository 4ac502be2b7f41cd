/** The months of a snapshot: cost and cash value by initiative, read from its stored tables once and then cached. */
import { Cache } from '../../cache.ts';
import { type MonthFold, type MonthSums, openMonthFold } from '../../figures/month-series.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { cellAt, type RowPiece, type RowsOf } from '../../snapshot/read/rows.ts';
import type { SUM_TABLES } from '../../tables/sums.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { digestsOf, snapshotFiles } from '../live/snapshot-files.ts';

const COMMON = ['initiative_id', 'period_month', 'usd_amount_cents'] as const;
const MONTHS_BYTES = 33_554_432;

/** Reads the months of a snapshot. */
export type Months = (account_id: bigint, snapshot: ReadableSnapshot) => Promise<MonthSums>;

/** Caches months by the digests of both files: files with the same digests always give the same months. */
export function createMonths(snapshots: Pick<SnapshotReader, 'openRows'>, rowLimit: RowLimit): Months {
  const cache = new Cache<string, MonthSums>({
    max_bytes: MONTHS_BYTES,
    bytesOf: ({ held_bytes }) => held_bytes,
  });
  return async (account_id, snapshot) => {
    return await cache.get(digestsOf({ snapshot }, ['costs', 'reported_value']), async () => {
      const files = snapshotFiles(snapshots, account_id, snapshot);
      const sums = await files.sums('month_sums');
      if (sums !== null) return await rowLimit.run(account_id, sums.count, () => foldSums(sums));
      const [costs, value] = [await files.table('costs'), await files.table('reported_value')];
      return await rowLimit.run(account_id, costs.count + value.count, async () => {
        const fold = openMonthFold();
        for await (const piece of costs.read(COMMON)) eachEntry(piece, (entry) => fold.addCost(entry));
        for await (const piece of value.read([...COMMON, 'entry_type'])) {
          const [, , , types] = piece.columns;
          eachEntry(piece, (entry, row) => fold.addValue(entry, cellAt(types, row)));
        }
        return fold.close();
      });
    });
  };
}

/** The same months from the stored sums, which have rows of the portfolio besides those of initiatives. */
async function foldSums(sums: RowsOf<typeof SUM_TABLES.month_sums>): Promise<MonthSums> {
  const fold = openMonthFold();
  const names = ['initiative_id', 'month', 'cash_value_cents', 'capex_cents', 'opex_cents'] as const;
  for await (const { rows, columns } of sums.read(names)) {
    const [initiatives, months, value, capex, opex] = columns;
    for (let row = 0; row < rows; row += 1) {
      const initiative_id = cellAt(initiatives, row);
      if (initiative_id === null) continue;
      const month = cellAt(months, row);
      fold.addCost({ initiative_id, month, usd_amount_cents: cellAt(capex, row) + cellAt(opex, row) });
      fold.addValue({ initiative_id, month, usd_amount_cents: cellAt(value, row) }, 'cash');
    }
  }
  return fold.close();
}

type Entry = Parameters<MonthFold['addCost']>[0];

/** The columns that both tables have. */
type Common = readonly [
  readonly bigint[],
  readonly (string | null)[],
  readonly (bigint | null)[],
  ...unknown[],
];

function eachEntry({ rows, columns }: RowPiece<Common>, add: (entry: Entry, row: number) => void): void {
  const [initiatives, months, dollars] = columns;
  for (let row = 0; row < rows; row += 1) {
    const entry = {
      initiative_id: cellAt(initiatives, row),
      month: cellAt(months, row),
      usd_amount_cents: cellAt(dollars, row),
    };
    add(entry, row);
  }
}
