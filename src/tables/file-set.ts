/**
 * A set of files of a snapshot: tables that are written, audited and published together. A build, the manifest, readers and
 * checks of the store loop over `FILE_SETS`. A further set is its declaration, its SQL and a line in that list.
 */
import type { Table } from './table.ts';

export interface FileSet {
  /** The field of the manifest with its files. */
  readonly name: string;
  readonly tables: readonly Table[];
  /**
   * The names of tables that came after the set's first release. The manifest names them apart, because an older program refuses
   * a set with a table that it does not know, but passes over a field that it does not know.
   */
  readonly later?: readonly string[];
  /** One of its tables in words. */
  readonly called: string;
  /**
   * Its folder in the spool, with a slash at the end; empty for the reporting tables only, because the published audit takes
   * every `*.parquet` of the spool and of the store for one of these.
   */
  readonly folder: string;
  /** The folder of `schema` with the SQL of its audit. */
  readonly checks: string;
  /** The folder of `schema` with the queries of its own control totals; null without these. */
  readonly control: string | null;
  /** The published file with the result of its audit. */
  readonly report: string;
  /** What its report states beside the checks; the rows of each table if omitted. */
  readonly states?: () => Readonly<Record<string, unknown>>;
  /** False: the manifest has no row counts of its files, and servers send none except those of `shared`. */
  readonly served: boolean;
  /** The tables of a set that is not served which the sharing protocol has: the name there of each, and why a snapshot lacks it. */
  readonly shared?: { readonly names: Readonly<Record<string, string>>; readonly lacking: string };
  /** True: its figures follow from the reporting tables, too. Readers take these if one of its files is damaged. */
  readonly derived?: true;
  /** True: a second connection may read it beside the tables of a large account. */
  readonly queued: boolean;
  /** The column of `ledger.accounts` that switches it on; a set without one is always on. */
  readonly switch?: 'companion_tables';
  /** The columns that have one value in every row; `snapshot_id` and `schema_version` if omitted. */
  readonly constants?: (of: {
    account_id: bigint;
    account_name: string;
    snapshot_id: string;
  }) => Readonly<Record<string, string>>;
  /** The version of the format of its only table. The manifest then names this table without a list, and counts its rows. */
  readonly version?: string;
}
