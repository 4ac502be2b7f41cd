/** The months of a snapshot: cost and cash value by initiative, read from its stored tables once and then cached. */
import { Cache } from '../../cache.ts';
import { type MonthFold, openMonthFold } from '../../figures/month-series.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { cellAt, type RowPiece } from '../../snapshot/read/rows.ts';
import type { RowLimit } from '../limits/row-limit.ts';
import { snapshotFiles } from '../live/snapshot-files.ts';

const COMMON = ['initiative_id', 'period_month', 'usd_amount_cents'] as const;
/** A month of an initiative takes about 200 bytes. */
const MONTH_BYTES = 200;
const MONTHS_BYTES = 67_108_864;

/** Reads the months of a snapshot. */
export type Months = (account_id: bigint, snapshot: ReadableSnapshot) => Promise<MonthFold>;

/** Caches months by the digests of both files: files with the same digests always give the same months. */
export function createMonths(snapshots: Pick<SnapshotReader, 'openRows'>, rowLimit: RowLimit): Months {
  const cache = new Cache<string, MonthFold>({
    max_bytes: MONTHS_BYTES,
    bytesOf: (fold) => MONTH_BYTES * (1 + fold.size()),
  });
  return async (account_id, snapshot) => {
    const digests = snapshot.tables
      .filter(({ name }) => name === 'costs' || name === 'reported_value')
      .map(({ sha256 }) => sha256);
    return await cache.get(digests.join(' '), async () => {
      const files = snapshotFiles(snapshots, account_id, snapshot);
      const [costs, value] = [await files.table('costs'), await files.table('reported_value')];
      return await rowLimit.run(account_id, costs.count + value.count, async () => {
        const fold = openMonthFold();
        for await (const piece of costs.read(COMMON)) eachEntry(piece, (entry) => fold.addCost(entry));
        for await (const piece of value.read([...COMMON, 'entry_type'])) {
          const [, , , types] = piece.columns;
          eachEntry(piece, (entry, row) => fold.addValue(entry, cellAt(types, row)));
        }
        return fold;
      });
    });
  };
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
