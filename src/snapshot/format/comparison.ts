/**
 * The record of a stored comparison. It names both snapshots by the digests of their manifests, the rules by which they
 * were compared, and the digest of the changed rows. A comparison without its record is not there.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import { formatInstant } from '../../time.ts';
import { decodeCanonical } from './canonical-json.ts';
import { instantText } from './instant-text.ts';
import type { LogEntry, PublishLog } from './publish-log.ts';
import { encodeSigned, followSignature, SIGNATURE_FIELDS } from './signed-record.ts';

/** A record of fourteen tables has 2 KiB. */
export const COMPARISON_CAP_BYTES = 65_536;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const side = z.object({ snapshot_id: z.string(), manifest_sha256: sha256 });

const comparison = z.object({
  account_id: z.int().min(1),
  from: side,
  to: side,
  /** The digest of the rules: other rules may give other reasons for the same rows. */
  rules_sha256: sha256,
  made_at: instantText,
  /** In the order of the rows. */
  tables: z.array(z.object({ name: z.string(), added: count, removed: count, changed: count })),
  /** The changed rows as they are read. */
  rows_bytes: count,
  /** The stored object with the changed rows, which is compressed. */
  size_bytes: count,
  sha256,
  ...SIGNATURE_FIELDS,
});

export type Comparison = z.infer<typeof comparison>;
/** The facts of a comparison that its two snapshots do not give. */
export type ComparedRows = Omit<Comparison, 'account_id' | 'from' | 'to' | keyof typeof SIGNATURE_FIELDS>;

/** Two published snapshots of one log, the earlier one first. */
export interface PublishedPair {
  readonly log: PublishLog;
  readonly from: LogEntry;
  readonly to: LogEntry;
}

const NAMESPACE = 'crossfoot-comparison';

/** The bytes to store, signed if the log is. */
export function encodeComparison({ log, from, to }: PublishedPair, compared: ComparedRows): Uint8Array {
  const record = { account_id: Number(log.account_id), from: sideOf(from), to: sideOf(to), ...compared };
  return encodeSigned(z.encode(comparison, record), NAMESPACE, log);
}

/** Decodes stored bytes. Throws `file_corrupt` unless they are a record of these two snapshots, signed if the log is. */
export function decodeComparison(bytes: Uint8Array, { log, from, to }: PublishedPair): Comparison {
  const read = parsed(bytes);
  if (read === null) throw corruptComparison(from, to, 'its record is malformed');
  const differs =
    BigInt(read.account_id) !== log.account_id || !isSide(read.from, from) || !isSide(read.to, to);
  if (differs) throw corruptComparison(from, to, 'its record is of other snapshots');
  const day = formatInstant(read.made_at).slice(0, 10);
  const signature = followSignature(bytes, day, NAMESPACE, { ...log, unknown_key: null });
  if (typeof signature === 'string') throw corruptComparison(from, to, `its record ${signature}`);
  // A log may hold entries of unknown keys, because other records vouch for them. Nothing vouches for a comparison.
  if (signature.unknown_key !== null) throw corruptComparison(from, to, 'its record has an unknown key');
  return read;
}

/** The error for a stored comparison that must not be read. */
export function corruptComparison(
  from: Pick<LogEntry, 'snapshot_id'>,
  to: Pick<LogEntry, 'snapshot_id'>,
  wrong: string,
): CrossfootError {
  const pair = `${from.snapshot_id}~${to.snapshot_id}`;
  return new CrossfootError('file_corrupt', `comparison ${pair}: ${wrong}; it is not read.`, {
    hint: 'The two snapshots are compared anew when somebody asks. Delete the stored comparison if the message returns.',
    data: { comparison: pair },
  });
}

function parsed(bytes: Uint8Array): Comparison | null {
  try {
    return comparison.parse(decodeCanonical(bytes));
  } catch {
    return null;
  }
}

function sideOf({ snapshot_id, manifest_sha256 }: LogEntry): Comparison['from'] {
  return { snapshot_id, manifest_sha256 };
}

function isSide(read: Comparison['from'], entry: LogEntry): boolean {
  return read.snapshot_id === entry.snapshot_id && read.manifest_sha256 === entry.manifest_sha256;
}
