/** Reading the publish log from a store: forward from what is known, until there is no next entry. */
import { isCrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { logKey, logPrefix, seqOfLogKey } from './keys.ts';
import { brokenLog, decodeEntry, emptyLog, follow, type LogEntry, type PublishLog } from './publish-log.ts';

/** An entry has about 400 bytes. */
const ENTRY_CAP_BYTES = 16_384;
/** How many entries are fetched at once where a listing says that they exist. */
const BATCH = 16;

/** The whole log, every entry checked against the one before. */
export async function readLog(store: Store, account_id: bigint): Promise<PublishLog> {
  const listed = await highestListed(store, account_id);
  let log = emptyLog(account_id);
  while (log.entries.length < listed && log.fault === null) {
    const known = log.entries.length;
    const seqs = Array.from({ length: Math.min(BATCH, listed - known) }, (_, number) => known + number + 1);
    const bodies = await Promise.all(seqs.map((seq) => readEntry(store, account_id, seq)));
    const gap = bodies.indexOf(null);
    log = follow(
      log,
      bodies.slice(0, gap === -1 ? bodies.length : gap).filter((body) => body !== null),
    );
    // A later entry is listed, so this one is not the end of the log: it was taken away.
    if (gap !== -1 && log.fault === null) {
      log = { ...log, fault: brokenLog(account_id, known + gap + 1, 'is missing') };
    }
  }
  return log.fault === null ? await readOn(store, log) : log;
}

/** The log with whatever was published since it was read: one call when that is nothing. */
export async function readOn(store: Store, known: PublishLog): Promise<PublishLog> {
  let log = known;
  for (;;) {
    const body = await readEntry(store, log.account_id, log.entries.length + 1);
    // A fault stays as it was: an entry that is missing now does not make an earlier alarm untrue.
    if (body === null) return log;
    log = follow(log, [body]);
    if (log.fault !== null) return log;
  }
}

/** The last entry that a listing shows, not held to those before it: to tell of, never to serve from. */
export async function glanceAtHead(store: Store, account_id: bigint): Promise<LogEntry | null> {
  const listed = await highestListed(store, account_id);
  const body = listed === 0 ? null : await readEntry(store, account_id, listed);
  return body === null ? null : decodeEntry(body);
}

async function readEntry(store: Store, account_id: bigint, seq: number): Promise<Uint8Array | null> {
  try {
    return await store.readSmall(logKey(account_id, seq), ENTRY_CAP_BYTES);
  } catch (error) {
    // Far too large to be an entry: no bytes at all are refused as malformed, which is what it is.
    if (isCrossfootError(error, 'store_object_too_large')) return new Uint8Array();
    throw error;
  }
}

// A listing may be stale, so it only says how far one may read ahead; the end is where a read finds nothing.
async function highestListed(store: Store, account_id: bigint): Promise<number> {
  let highest = 0;
  for await (const key of store.list(logPrefix(account_id))) {
    highest = Math.max(highest, seqOfLogKey(account_id, key) ?? 0);
  }
  return highest;
}
