/** What a catalogue is derived from: the publish log, the marks, and what is stored of each snapshot that can be read. */
import type { FooterNumbers } from '../parquet/footer-numbers.ts';
import type { KnownTable } from '../snapshot/format/footer-faults.ts';
import type { Retraction } from '../snapshot/format/snapshot-status.ts';
import type { TableDescription } from '../tables/describe.ts';
import type { Instant } from '../instant.ts';

/** A table of one snapshot. */
export interface LakeTable extends KnownTable {
  readonly name: string;
  readonly size_bytes: number;
  /** The text that readers see beside the table. */
  readonly comment: string;
  /** By the declaration of the snapshot's own time. */
  readonly columns: TableDescription['columns'];
  readonly footer: FooterNumbers;
}

/** A snapshot that can be read. */
export interface LakeVersion {
  /** The number of its entry in the publish log. */
  readonly seq: number;
  readonly snapshot_id: string;
  readonly manifest_sha256: string;
  readonly generated_at: Instant;
  readonly tables: readonly LakeTable[];
  /** The names of the pins that keep it. */
  readonly pins: readonly string[];
  readonly retraction: Retraction | null;
  /** The files that a scrub found damaged. */
  readonly damaged_files: readonly string[];
}

export interface Lake {
  readonly account_id: bigint;
  /** The number of the newest entry of the log, and of the newest mark. */
  readonly log_entry: number;
  readonly marks: number;
  /** Oldest first. */
  readonly versions: readonly LakeVersion[];
  /**
   * Snapshots that expired, or whose files are damaged, although an older one can be read: a time within such a gap must not
   * be answered with the older snapshot.
   */
  readonly gaps: readonly { readonly seq: number; readonly snapshot_id: string }[];
}

/** The address of a table's file of a snapshot. */
export type AddressOf = (snapshot_id: string, table: string) => string;
