/** Reads the files of one snapshot as rows, for answers as of that snapshot. */
import { refusedParameter } from '../http/parameters.ts';
import { type Day, utcDay } from '../../figures/calendar.ts';
import type { FiscalMoment } from '../../figures/windows.ts';
import { noSuchRecord, type SeenInitiative } from '../../ledger/lists/require-initiative.ts';
import { storedTableNamed } from '../../snapshot/format/manifest.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { whereInitiative } from '../../snapshot/read/initiative-rows.ts';
import type { RowRange, RowsOf } from '../../snapshot/read/rows.ts';
import { type Reporting, tableNamed } from '../../tables/all.ts';
import { COMPANIONS } from '../../tables/companions.ts';
import { SUM_TABLES } from '../../tables/sums.ts';
import type { RowOf, Table } from '../../tables/table.ts';
import type { Instant } from '../../instant.ts';

type Companions = typeof COMPANIONS;
type SumTables = typeof SUM_TABLES;

export interface SnapshotFiles {
  readonly account_id: bigint;
  readonly snapshot: ReadableSnapshot;
  /** The day that the snapshot describes. */
  readonly as_of: Day;
  /** A reporting table. */
  readonly table: <Name extends keyof Reporting>(name: Name) => Promise<RowsOf<Reporting[Name]>>;
  /** A companion table; throws 400 if the snapshot has none. */
  readonly companion: <Name extends keyof Companions>(name: Name) => Promise<RowsOf<Companions[Name]>>;
  /** A table of sums; null if an older version built the snapshot. */
  readonly sums: <Name extends keyof SumTables>(name: Name) => Promise<RowsOf<SumTables[Name]> | null>;
}

/** A row of a reporting table with these columns. */
export type FrozenRow<Name extends keyof Reporting, Columns extends readonly string[]> = Pick<
  RowOf<Reporting[Name]>,
  Columns[number] & keyof RowOf<Reporting[Name]>
>;

export function snapshotFiles(
  snapshots: Pick<SnapshotReader, 'openRows'>,
  account_id: bigint,
  snapshot: ReadableSnapshot,
): SnapshotFiles {
  const { snapshot_id, generated_at } = snapshot;
  return {
    account_id,
    snapshot,
    as_of: utcDay(generated_at),
    async table(name) {
      return await snapshots.openRows(account_id, snapshot_id, tableNamed(name));
    },
    async companion(name) {
      const table = COMPANIONS[name];
      if (storedTableNamed(snapshot, table.name) === undefined) {
        throw refusedParameter(
          `Snapshot ${snapshot_id} has no rows of ${name}: an older version built it, or the account had switched companion tables off.`,
        );
      }
      return await snapshots.openRows(account_id, snapshot_id, table);
    },
    async sums(name) {
      if (storedTableNamed(snapshot, name) === undefined) return null;
      return await snapshots.openRows(account_id, snapshot_id, SUM_TABLES[name]);
    },
  };
}

/** The digests of these reporting tables: a key for what was read of them. A file of a digest always has the same rows. */
export function digestsOf(
  { snapshot }: Pick<SnapshotFiles, 'snapshot'>,
  tables: readonly (keyof Reporting)[],
): string {
  const named: readonly string[] = tables;
  return snapshot.tables
    .filter(({ name }) => named.includes(name))
    .map(({ sha256 }) => sha256)
    .join(' ');
}

/** The rows of a range with these columns. */
export async function* frozenRows<Of extends Table, const Name extends keyof RowOf<Of> & string>(
  rows: RowsOf<Of>,
  names: readonly Name[],
  range: RowRange = {},
): AsyncGenerator<Pick<RowOf<Of>, Name>> {
  for await (const piece of rows.read(names, range)) {
    for (let row = 0; row < piece.rows; row += 1) {
      const cells = names.map((name, index) => [name, piece.columns[index]?.[row]]);
      yield Object.fromEntries(cells) as Pick<RowOf<Of>, Name>; // the columns of these names
    }
  }
}

/** The rows of a companion table; null if an older version built the snapshot, or the account had switched companions off. */
export async function companionIfAny<Name extends keyof Companions>(
  files: SnapshotFiles,
  name: Name,
): Promise<RowsOf<Companions[Name]> | null> {
  const isStored = storedTableNamed(files.snapshot, COMPANIONS[name].name) !== undefined;
  return isStored ? await files.companion(name) : null;
}

/** What the reporting tables do not say of a plan; undefined where the snapshot does not say it at all. */
export interface PlanFacts {
  readonly approved_at: Instant | null | undefined;
  /** False if the service filled in the plan and no person confirmed it. */
  readonly confirmed: boolean | undefined;
}

export async function planFactsOf(files: SnapshotFiles, wanted: bigint): Promise<PlanFacts> {
  const rows = await companionIfAny(files, 'initiatives');
  if (rows === null) return { approved_at: undefined, confirmed: undefined };
  const saysConfirmed = rows.columns.some(({ name }) => name === 'plan_confirmed');
  const names = ['approved_at', ...(saysConfirmed ? (['plan_confirmed'] as const) : [])] as const;
  for await (const { first, columns } of rows.read(['id'])) {
    const index = columns[0].indexOf(wanted);
    if (index === -1) continue;
    const own = { from: first + index, to: first + index + 1 };
    for await (const row of frozenRows(rows, names, own)) {
      return { approved_at: row.approved_at, confirmed: saysConfirmed ? row.plan_confirmed : undefined };
    }
  }
  return { approved_at: null, confirmed: undefined };
}

/** The one row of the table `snapshot`. */
export async function snapshotRow<const Name extends keyof RowOf<Reporting['snapshot']>>(
  files: SnapshotFiles,
  names: readonly Name[],
): Promise<Pick<RowOf<Reporting['snapshot']>, Name>> {
  for await (const row of frozenRows(await files.table('snapshot'), names)) return row;
  throw new RangeError('the table snapshot has no row');
}

/** The day and the fiscal year of the snapshot. */
export async function fiscalMoment(files: SnapshotFiles): Promise<FiscalMoment> {
  return { as_of: files.as_of, ...(await snapshotRow(files, ['fiscal_year_start_month'])) };
}

/** The initiative in the snapshot; throws 404 if the snapshot does not have it. */
export async function requireFrozenInitiative(files: SnapshotFiles, id: bigint): Promise<SeenInitiative> {
  const own = { where: whereInitiative((each) => each === id) };
  const rows = frozenRows(await files.table('initiatives'), ['initiative_id', 'title'], own);
  for await (const { initiative_id, title } of rows) {
    if (initiative_id === id) return { id, title };
  }
  throw noSuchRecord();
}
