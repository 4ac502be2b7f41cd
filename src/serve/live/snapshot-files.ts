/** Reads the files of one snapshot as rows, for answers as of that snapshot. */
import { CrossfootError } from '../../errors.ts';
import { type Day, utcDay } from '../../figures/calendar.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { noSuchRecord, type SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import type { FieldValue, RowRange, TableRows } from '../../snapshot/read/rows.ts';
import { tableNamed } from '../../tables/all.ts';
import { COMPANIONS } from '../../tables/companions.ts';

export interface SnapshotFiles {
  readonly account_id: bigint;
  readonly snapshot: ReadableSnapshot;
  /** The day that the snapshot describes. */
  readonly as_of: Day;
  /** A reporting table. */
  readonly table: (name: string) => Promise<TableRows>;
  /** A companion table; throws 400 if the snapshot has none. */
  readonly companion: (name: keyof typeof COMPANIONS) => Promise<TableRows>;
}

/** A row by the names of its columns. */
export type FrozenRow = Readonly<Record<string, FieldValue>>;

export function snapshotFiles(
  snapshots: Pick<SnapshotReader, 'openRows'>,
  account_id: bigint,
  snapshot: ReadableSnapshot,
): SnapshotFiles {
  const { snapshot_id, generated_at, companions } = snapshot;
  return {
    account_id,
    snapshot,
    as_of: utcDay(generated_at),
    async table(name) {
      const table = tableNamed(name);
      if (table === undefined) throw new RangeError(`${name} is no reporting table`);
      return await snapshots.openRows(account_id, snapshot_id, table);
    },
    async companion(name) {
      const table = COMPANIONS[name];
      if (companions?.tables.some((each) => each.name === table.name) !== true) {
        throw new CrossfootError(
          'parameter_refused',
          `Snapshot ${snapshot_id} has no rows of ${name}: an older version built it, or the account had switched companion tables off.`,
        );
      }
      return await snapshots.openRows(account_id, snapshot_id, table);
    },
  };
}

/** The rows of a range with these columns. */
export async function* frozenRows(
  rows: TableRows,
  names: readonly string[],
  range: RowRange = {},
): AsyncGenerator<FrozenRow> {
  for await (const piece of rows.read(names, range)) {
    for (let row = 0; row < piece.rows; row += 1) {
      yield Object.fromEntries(names.map((name, place) => [name, piece.columns[place]?.[row] ?? null]));
    }
  }
}

/** The day and the fiscal year of the snapshot, from its `snapshot` table. */
export async function fiscalMoment(files: SnapshotFiles): Promise<FiscalMoment> {
  for await (const row of frozenRows(await files.table('snapshot'), ['fiscal_year_start_month'])) {
    return { as_of: files.as_of, fiscal_year_start_month: Number(row['fiscal_year_start_month']) };
  }
  throw new RangeError('the table snapshot has no row');
}

/** The initiative in the snapshot; throws 404 if the snapshot does not have it. */
export async function requireFrozenInitiative(files: SnapshotFiles, id: bigint): Promise<SeenInitiative> {
  const names = ['initiative_id', 'title'];
  for await (const row of frozenRows(await files.table('initiatives'), names)) {
    if (row['initiative_id'] === id) return { id, title: String(row['title']) };
  }
  throw noSuchRecord();
}
