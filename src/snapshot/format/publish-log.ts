/**
 * The publish log of an account: one entry per visible snapshot, numbered without gaps, each with the digest of the
 * entry before. Only creating an entry makes a snapshot visible.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import type { Signing } from '../../signing/keys.ts';
import { type BuildLayout, LAYOUTS } from '../../store-settings.ts';
import { formatInstant } from '../../time.ts';
import { decodeCanonical } from './canonical-json.ts';
import { sha256Hex } from './digest.ts';
import { instantText } from './instant-text.ts';
import { buildPrefix } from './keys.ts';
import {
  encodeSigned,
  followSignature,
  SIGNATURE_FIELDS,
  type SignedChain,
  unsigned,
} from './signed-record.ts';
import { isSnapshotId } from './snapshot-id.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The maximum number of retracted entries that one entry may name, so that an entry stays small. */
const MAX_RETRACTED_HEADS = 100;

const logEntry = z.object({
  seq: z.int().min(1),
  snapshot_id: z.string().refine(isSnapshotId),
  prefix: z.string(),
  manifest_sha256: sha256,
  prev_sha256: sha256,
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  night: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  published_at: instantText,
  builder: z.string().min(1).max(200),
  /**
   * The ids of the entries right before this one, newest first, that were retracted because they are dated in the future.
   * Only after such entries may an entry have a smaller id than the entry before. Older readers refuse such an entry.
   */
  follows_retracted: z.array(z.string().refine(isSnapshotId)).min(1).max(MAX_RETRACTED_HEADS).optional(),
  ...SIGNATURE_FIELDS,
});

export type LogEntry = z.infer<typeof logEntry>;
/** An entry without its signature and the fields that follow from its position in the log. */
export type NewEntry = Omit<
  LogEntry,
  'seq' | 'prefix' | 'prev_sha256' | 'follows_retracted' | keyof typeof SIGNATURE_FIELDS
> & {
  /** The layout of its files, which the prefix says; `objects` if omitted. */
  readonly layout?: BuildLayout | undefined;
};

/** The valid entries of a log read so far. */
export interface PublishLog extends SignedChain {
  readonly account_id: bigint;
  /** Entry `seq` has the index `seq - 1`. */
  readonly entries: readonly LogEntry[];
  /** SHA-256 of the last entry's exact bytes, which the next entry must name. */
  readonly head_sha256: string;
  /** Why the next entry was refused; null if the log ends after the last valid entry. */
  readonly fault: CrossfootError | null;
  /**
   * What is stored from the refused entry on: the SHA-256 of each entry's bytes, null where they are no entry. Empty if
   * nothing was refused. These entries are never served. By them a damaged log differs from a log that was set back.
   */
  readonly unread: readonly (string | null)[];
}

const ENTRY_BYTES = 400;

/** What a log takes in memory, about. A log of ten years takes 1.5 MB. */
export function bytesOfLog({ entries }: Pick<PublishLog, 'entries'>): number {
  return ENTRY_BYTES * (1 + entries.length);
}

/** The first entry names this instead of the digest of an entry before it. */
const NO_ENTRY = '0'.repeat(64);

/** The log before its first entry. */
export function emptyLog(account_id: bigint, signing?: Signing): PublishLog {
  return { account_id, entries: [], head_sha256: NO_ENTRY, fault: null, unread: [], ...unsigned(signing) };
}

/** The first entry that was published for this night, if there is one. */
export function entryOfNight(log: PublishLog, night: string): LogEntry | undefined {
  return log.entries.find((entry) => entry.night === night);
}

/**
 * For an entry that was retracted because it is dated in the future: the later entry that names it in `follows_retracted`.
 * Undefined for every other entry.
 */
export function entryPassingOver(
  { entries }: PublishLog,
  { seq, snapshot_id }: LogEntry,
): LogEntry | undefined {
  return entries
    .slice(seq, seq + MAX_RETRACTED_HEADS)
    .find(({ follows_retracted = [] }) => follows_retracted.includes(snapshot_id));
}

/** The bytes of the next entry; `retracted` becomes its `follows_retracted`. */
export function encodeNextEntry(
  log: PublishLog,
  { layout, ...entry }: NewEntry,
  retracted: readonly string[] = [],
): Uint8Array {
  const seq = log.entries.length + 1;
  const prefix = buildPrefix(log.account_id, entry.snapshot_id, entry.nonce, layout);
  const follows = retracted.length === 0 ? {} : { follows_retracted: [...retracted] };
  const next = { ...entry, ...follows, seq, prefix, prev_sha256: log.head_sha256 };
  return encodeSigned(z.encode(logEntry, next), 'crossfoot-log', log);
}

/** Appends these entries, up to the first that is invalid: `fault` then says why. */
export function follow(log: PublishLog, bodies: readonly Uint8Array[]): PublishLog {
  const entries = [...log.entries];
  let followed: PublishLog = { ...log, entries, fault: null, unread: [] };
  for (const bytes of bodies) {
    const seq = entries.length + 1;
    const next = nextEntry(bytes, seq, followed);
    if (typeof next === 'string') return { ...followed, fault: brokenLog(log.account_id, seq, next) };
    const signature = signatureOf(bytes, next, followed);
    if (typeof signature === 'string') {
      return { ...followed, fault: brokenLog(log.account_id, seq, signature) };
    }
    entries.push(next);
    followed = { ...followed, ...signature, head_sha256: sha256Hex(bytes) };
  }
  return followed;
}

/** The error for a log that cannot be read to its end. */
export function brokenLog(account_id: bigint, seq: number, wrong: string): CrossfootError {
  return new CrossfootError(
    'publish_log_broken',
    `publish log of account ${account_id}: entry ${seq} ${wrong}.`,
    {
      hint: 'Snapshots of earlier entries are still served. Nothing is published until the log is repaired.',
      data: { account: account_id, seq },
    },
  );
}

/** The entry in these bytes; null if they are not an entry. */
export function decodeEntry(bytes: Uint8Array): LogEntry | null {
  try {
    return logEntry.parse(withNight(decodeCanonical(bytes)));
  } catch {
    return null;
  }
}

/** Entries of older versions say `slot` for `night`. */
function withNight(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('slot' in entry)) return entry;
  return { night: entry.slot, ...entry };
}

/** The entry in these bytes, or a clause that says why it cannot be the next entry. */
function nextEntry(
  bytes: Uint8Array,
  seq: number,
  { account_id, head_sha256, entries: before }: PublishLog,
): LogEntry | string {
  const entry = decodeEntry(bytes);
  if (entry === null) return 'is malformed';
  if (entry.seq !== seq) return `says it is entry ${entry.seq}`;
  if (entry.prev_sha256 !== head_sha256) return 'does not follow the entry before it';
  // The prefix names the account, so a log copied from another account ends here.
  const { prefix, snapshot_id, nonce } = entry;
  if (!LAYOUTS.some((layout) => prefix === buildPrefix(account_id, snapshot_id, nonce, layout)))
    return 'names a foreign prefix';
  return whatIsOutOfOrder(before, entry) ?? entry;
}

function signatureOf(bytes: Uint8Array, { published_at }: LogEntry, log: PublishLog): SignedChain | string {
  return followSignature(bytes, formatInstant(published_at).slice(0, 10), 'crossfoot-log', log);
}

/** An id must be unique, and greater than the id before, except for retracted entries that the entry names. */
function whatIsOutOfOrder(
  before: readonly LogEntry[],
  { snapshot_id, follows_retracted = [] }: LogEntry,
): string | null {
  const passed = before.slice(before.length - follows_retracted.length).toReversed();
  if (passed.map((each) => each.snapshot_id).join() !== follows_retracted.join())
    return 'follows other entries than it names';
  const newest = before.at(-1 - follows_retracted.length);
  if (newest !== undefined && snapshot_id <= newest.snapshot_id) return 'is not newer than the one before';
  if (before.some((each) => each.snapshot_id === snapshot_id)) return 'has the id of an earlier entry';
  return null;
}
