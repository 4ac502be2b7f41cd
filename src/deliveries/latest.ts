/**
 * `latest.json` of a target: it names the newest whole snapshot there, for programs that load new ones. It is written last, moves
 * only to a later entry of the publish log, and never replaces what is not ours.
 */
import { z } from 'zod';
import { CrossfootError } from '../errors.ts';
import { formatInstant } from '../time.ts';
import type { Manifest } from '../snapshot/format/manifest.ts';
import type { LogEntry } from '../snapshot/format/publish-log.ts';
import { isSnapshotId } from '../snapshot/format/snapshot-id.ts';
import type { ReplacingStore } from '../store/store.ts';

const LATEST_KEY = 'latest.json';
const CAP_BYTES = 65_536;
/** Each change by another process means that it moved on, so a few looks are enough. */
const MAX_LOOKS = 5;

// Errors repeat the id, and a customer may write any text into the file.
const latest = z.object({
  account_id: z.int(),
  seq: z.int().min(1),
  snapshot_id: z.string().refine(isSnapshotId),
});

/** For a reader who has only the bucket. */
const ABOUT = [
  'Paths are relative to the folder of this file.',
  'This file is replaced last. The folder of a snapshot is whole once it has a manifest.json, and then its tables never change.',
  'Check manifest.json against manifest_sha256, and each table against its sha256, before you load it.',
  'Each column of a Parquet file has its description and its unit in the metadata of its field, which Arrow reads.',
  'In costs add up usd_amount_cents. Cents of several currencies stand in amount_cents.',
  'An entry without a dollar figure is in no total: left_out in the manifest counts them.',
  'Do not add up rows of reported_totals: its windows and scopes overlap.',
  'The manifest also names files that are not delivered: all but the tables and the signatures.',
  'manifest.json.sig is an SSH signature (namespace crossfoot). Ask the sender for the public key in another way.',
];

/** The bytes that name this snapshot; the same for the same snapshot. */
export function encodeLatest(
  { snapshot_id, generated_at, account_id, tables }: Manifest,
  { seq, manifest_sha256 }: Pick<LogEntry, 'manifest_sha256' | 'seq'>,
): Uint8Array {
  const named = {
    about: ABOUT,
    snapshot_id,
    generated_at: formatInstant(generated_at),
    account_id,
    seq,
    folder: `snapshots/${snapshot_id}`,
    manifest_sha256,
    tables: tables.map(({ name, row_count, size_bytes, sha256 }) => ({
      table: name,
      file: `${name}.parquet`,
      row_count,
      size_bytes,
      sha256,
    })),
  };
  return Buffer.from(`${JSON.stringify(named, null, 2)}\n`);
}

interface Move {
  readonly account_id: bigint;
  readonly seq: number;
  readonly bytes: Uint8Array;
  /** The snapshot of an entry of the account's publish log; null if the log has no such entry. */
  readonly snapshotAt: (seq: number) => Promise<string | null>;
}

/** Lets `latest.json` name the snapshot, unless it names a later one. Safe to repeat. */
export async function moveLatest(target: ReplacingStore, move: Move): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    const found = await target.readVersion(LATEST_KEY, CAP_BYTES);
    if (found !== null && Buffer.from(found.bytes).equals(move.bytes)) return;
    if (found !== null && (await isLater(found.bytes, move))) return;
    if ((await target.replace(LATEST_KEY, move.bytes, found?.version ?? null)) === 'replaced') return;
    if (looks === MAX_LOOKS) throw refused('it changes again and again');
  }
}

async function isLater(bytes: Uint8Array, { account_id, seq, snapshotAt }: Move): Promise<boolean> {
  const found = read(bytes);
  if (found === null) throw refused('it is no file of a delivery');
  if (BigInt(found.account_id) !== account_id) throw refused(`it is of account ${found.account_id}`);
  if ((await snapshotAt(found.seq)) !== found.snapshot_id) {
    throw refused(
      `it names snapshot ${found.snapshot_id}, which the publish log of the account does not have`,
    );
  }
  return found.seq >= seq;
}

function read(bytes: Uint8Array): z.infer<typeof latest> | null {
  try {
    return latest.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return null;
  }
}

function refused(why: string): CrossfootError {
  return new CrossfootError('delivery_refused', `delivery: latest.json is there, but ${why}.`, {
    hint: 'Move that file away, or deliver to another prefix.',
  });
}
