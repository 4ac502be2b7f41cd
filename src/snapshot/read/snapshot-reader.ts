/** The interface through which servers and commands read published snapshots; every byte it returns was checked. */
import type { ReadableSnapshot } from '../format/served-manifest.ts';
import type { FileSet } from '../../tables/file-set.ts';
import type { Table } from '../../tables/table.ts';
import type { RowsOf } from './rows.ts';
import type { SnapshotVersion } from './snapshot-version.ts';
import type { CsvOptions } from './table-csv.ts';

/** A range of a file; both ends are inclusive and inside the file. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The bytes themselves if they are at most one block; otherwise a stream of blocks. */
export type TableBytes = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

export interface SnapshotReader {
  /** The newest snapshot; null if none was published yet. */
  latest(account_id: bigint): Promise<ReadableSnapshot | null>;
  /** The snapshot of this id; null if there is none. Throws `snapshot_expired` after its expiry. */
  pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null>;
  /**
   * The snapshot of that name: an id, `latest` or `newest` for the newest, or a pin, which means the newest snapshot with this pin.
   * Null if there is none. This is the one rule for every address, command and tool that takes a name.
   */
  named(account_id: bigint, name: string): Promise<ReadableSnapshot | null>;
  /** The number of the first log entry that is broken; `latest` is then an older snapshot. Null if all entries are valid. */
  logBrokenAt(account_id: bigint): Promise<number | null>;
  /** The number of accounts whose log, as read so far, has a broken entry. */
  countBrokenLogs(): Promise<number>;
  /** All readable snapshots, newest first. */
  list(account_id: bigint): Promise<readonly ReadableSnapshot[]>;
  /** All valid entries of the log, oldest first, also those whose snapshot has expired. */
  versions(account_id: bigint): Promise<readonly SnapshotVersion[]>;
  /** How many files this reader found damaged and has not found whole since. */
  countDamaged(): number;
  /** The same, with the files that others found damaged, of the accounts that were read so far. */
  countDamagedForAll(): Promise<number>;
  /** Throws if the table's file is known to be damaged. Reads nothing for any other file. */
  refuseDamaged(account_id: bigint, snapshot_id: string, table: string): Promise<void>;
  /**
   * The bytes of one table's file, or of a range of the file, each block checked. For a stream, a bad first block throws
   * before the stream begins; a later bad block breaks the stream.
   */
  openTable(account_id: bigint, snapshot_id: string, table: string, range?: ByteRange): Promise<TableBytes>;
  /** The same table as CSV, made of checked bytes while it is read. */
  openCsv(
    account_id: bigint,
    snapshot_id: string,
    table: string,
    options: CsvOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** The rows of one table, read from checked bytes. */
  openRows<Of extends Table>(account_id: bigint, snapshot_id: string, table: Of): Promise<RowsOf<Of>>;
  /** The report on a set of files, served or not, checked against its digest. */
  readReport(account_id: bigint, snapshot_id: string, set: FileSet): Promise<Uint8Array<ArrayBuffer>>;
  /** The file of that name beside the tables, checked against its digest; throws if the manifest does not name it. */
  readFile(account_id: bigint, snapshot_id: string, name: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface QuarantineWatch {
  /** How many readable snapshots have files that a scrub found damaged. */
  quarantined(account_id: bigint): Promise<number>;
}
