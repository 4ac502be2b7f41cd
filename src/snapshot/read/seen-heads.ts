/**
 * Remembers the head of each publish log: the number and the digest of its newest entry. A log that ends before that number, or
 * has another entry there, is not the log seen before. Only this check notices a bucket that was emptied and filled again,
 * because the new log is valid in itself.
 */
import { CrossfootError } from '../../errors.ts';
import type { PublishLog } from '../format/publish-log.ts';

export interface SeenHead {
  /** Increased by one each time a person accepts another log, with `snapshots --accept-head`. */
  readonly generation: bigint;
  readonly seq: number;
  /** SHA-256 of that entry's exact bytes. */
  readonly entry_sha256: string;
}

/** A place where heads are remembered. */
export interface SeenHeads {
  /** The head seen last; null if there is none. */
  read(account_id: bigint): Promise<SeenHead | null>;
  /** Stores the head, unless a head of a later generation, or a later head of the same generation, is stored. */
  write(account_id: bigint, head: SeenHead): Promise<void>;
}

/** Checks a log against the heads seen before, and remembers its head if it passes. */
export type CheckHead = (log: PublishLog) => Promise<void>;

/** Waits for the log and passes it to `checkHead`, if given; throws what `checkHead` throws. */
export async function passing(reading: Promise<PublishLog>, checkHead?: CheckHead): Promise<PublishLog> {
  const log = await reading;
  await checkHead?.(log);
  return log;
}

/**
 * Makes the check from several memories of heads. Only heads of the latest generation count; the log must agree with each of
 * these.
 */
export function watchHeads(memories: readonly SeenHeads[]): CheckHead {
  const checked = new Map<bigint, SeenHead>();
  return async (log) => {
    const { account_id } = log;
    const known = checked.get(account_id);
    // This process has checked and remembered this head before.
    if (known !== undefined && !lacksSeen(log, known) && known.seq === log.entries.length) return;
    const found = await Promise.all(memories.map((memory) => memory.read(account_id)));
    const seen = found.filter((each) => each !== null);
    const generation = seen.reduce(
      (latest, each) => (each.generation > latest ? each.generation : latest),
      0n,
    );
    for (const each of seen.filter((one) => one.generation === generation)) requireSeen(log, each);
    const head = headOf(log, generation);
    // A broken log may end before the seen head; its earlier head must not replace the remembered one.
    if (head === null || seen.some((each) => each.generation === generation && each.seq > head.seq)) return;
    const current = (each: SeenHead | null | undefined): boolean =>
      each?.generation === generation && each.seq === head.seq;
    await Promise.all(
      memories.map(async (memory, index) => {
        if (!current(found[index])) await memory.write(account_id, head);
      }),
    );
    checked.set(account_id, head);
  };
}

/** The newest valid entry of a log; null while it has none. */
function headOf(log: PublishLog, generation: bigint): SeenHead | null {
  const seq = log.entries.length;
  return seq === 0 ? null : { generation, seq, entry_sha256: log.head_sha256 };
}

/** SHA-256 of an entry's bytes, as the chain states it; null if the log has no such entry. */
function digestAt({ entries, head_sha256 }: PublishLog, seq: number): string | null {
  if (seq > entries.length) return null;
  return entries[seq]?.prev_sha256 ?? head_sha256;
}

function lacksSeen(log: PublishLog, { seq, entry_sha256 }: SeenHead): boolean {
  return seq > 0 && digestAt(log, seq) !== entry_sha256;
}

/**
 * True if the seen entry may be among the refused entries (`unread`) of a broken log: the sound entries of such a log are served.
 * False for a log that was set back: it ends before the seen entry, or has another digest in its place.
 */
function hidesSeen({ entries, unread }: PublishLog, { seq, entry_sha256 }: SeenHead): boolean {
  const index = seq - entries.length - 1;
  if (index < 0 || index >= unread.length) return false;
  // The first refused entry is damaged, so its digest proves nothing. A later one must have the seen digest, or be unreadable (null).
  const stored = unread[index] ?? null;
  return index === 0 || stored === null || stored === entry_sha256;
}

function requireSeen(log: PublishLog, seen: SeenHead): void {
  if (!lacksSeen(log, seen) || hidesSeen(log, seen)) return;
  const { account_id, entries, unread } = log;
  const found = digestAt(log, seen.seq) ?? unread[seen.seq - entries.length - 1] ?? null;
  const what =
    found === null
      ? `ends at entry ${entries.length + unread.length}; expected entry ${seen.seq}, which was seen before`
      : `has a different entry ${seen.seq} from the one seen before; expected ${seen.entry_sha256.slice(0, 12)}, found ${found.slice(0, 12)}`;
  throw new CrossfootError('log_older', `publish log of account ${account_id}: ${what}.`, {
    hint: `Check that OBJECT_STORE names the right store, and restore the store. If it was emptied on purpose, run npx --no crossfoot snapshots --account ${account_id} --accept-head.`,
    data: { account: account_id, seq: seen.seq, expected: seen.entry_sha256, found },
  });
}
