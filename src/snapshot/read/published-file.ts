/** Finds the files of a published snapshot in the store, and makes the errors for a file that does not exist or is damaged. */
import { CrossfootError } from '../../errors.ts';
import { blocksKey, tableFile, tableKey } from '../format/keys.ts';
import type { Manifest, StoredTable } from '../format/manifest.ts';
import type { LogEntry, PublishLog } from '../format/publish-log.ts';
import { RETENTION_DAYS } from '../format/retention.ts';
import { heldUntil, type SnapshotStatus } from '../format/snapshot-status.ts';
import type { Instant } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import type { CheckedFile } from './file-blocks.ts';

/** An entry of the log, with the status of its snapshot. */
export interface Published {
  readonly log: PublishLog;
  readonly entry: LogEntry;
  readonly status: SnapshotStatus;
}

/** True if a scrub found the table's file damaged. */
export function isQuarantined({ status }: Published, name: string): boolean {
  return status.quarantine?.files.some((file) => file.startsWith(`${name}.`)) === true;
}

/** The error for a file that the account's snapshot does not have. */
export function noFile(): CrossfootError {
  return new CrossfootError('not_found', 'There is no such file in this account.');
}

/** The error for a snapshot that expired then. */
export function expiredSnapshot(status: SnapshotStatus, expired_at: Instant): CrossfootError {
  const day = formatInstant(expired_at).slice(0, 10);
  const why = heldUntil(status) === expired_at ? 'by a pin' : `for ${RETENTION_DAYS} days`;
  return new CrossfootError('snapshot_expired', `This snapshot was kept ${why} and expired on ${day}.`);
}

/** The error for a file that a scrub found damaged. */
export function quarantinedFile(snapshot_id: string, name: string): CrossfootError {
  return new CrossfootError(
    'file_corrupt',
    `${tableFile(name)} of ${snapshot_id}: a scrub found it damaged.`,
    {
      hint: 'Restore the file from a copy, then run npx --no crossfoot scrub: the file is served again if every byte matches its digest.',
      data: { snapshot: snapshot_id, table: name, key: tableFile(name) },
    },
  );
}

type TableFile = Pick<StoredTable, 'name' | 'size_bytes' | 'sha256' | 'blocks_sha256'>;

/** The tables of a manifest whose files may be read. */
export type TablesOf = (manifest: Manifest) => readonly TableFile[];

/** The file of a table in the store. */
export function fileIn(
  { log, entry: { prefix, snapshot_id } }: Published,
  { block_bytes }: Manifest,
  { name, size_bytes, sha256, blocks_sha256 }: TableFile,
): CheckedFile {
  const keys = { key: tableKey(prefix, name), blocks_key: blocksKey(prefix, name) };
  const of = { account_id: log.account_id, snapshot_id, file: tableFile(name) };
  return { ...keys, of, size_bytes, block_bytes, sha256, blocks_sha256 };
}
