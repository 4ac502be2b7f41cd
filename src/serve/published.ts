/** What the routes need of the snapshot side; a snapshot handed out here was audited, published and not expired. */

export interface PublishedTable {
  readonly name: string;
  readonly row_count: number;
  readonly size_bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The part of a stored manifest that is told to a reader; the file's nonce and keys are not. */
export interface PublishedSnapshot {
  readonly snapshot_id: string;
  readonly schema_version: string;
  readonly generated_at: string;
  /** `updated_since` of the first incremental pull that continues this snapshot without a gap. */
  readonly changes_from: string;
  readonly tables: readonly PublishedTable[];
}

export interface PublishedSnapshots {
  /** The newest snapshot of the account; null before its first build completed. */
  latest(account_id: bigint): Promise<PublishedSnapshot | null>;
  /** That snapshot of the account; null when there is none, an error that says when it expired if it has. */
  pinned(account_id: bigint, snapshot_id: string): Promise<PublishedSnapshot | null>;
  /**
   * The bytes of one file, each block checked against its digest before it is handed out: a bad block errors the
   * stream, so that no reader ever takes corrupt bytes for a whole file.
   */
  openTable(
    account_id: bigint,
    snapshot_id: string,
    table: string,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}
