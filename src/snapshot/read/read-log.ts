/** Reading the publish log from a store. */
import type { Signing } from '../../signing/keys.ts';
import type { StoreReader } from '../../store/store.ts';
import { sha256Hex } from '../format/digest.ts';
import { logKey, logPrefix, seqOfLogKey } from '../format/keys.ts';
import {
  brokenLog,
  decodeEntry,
  emptyLog,
  follow,
  type LogEntry,
  type PublishLog,
} from '../format/publish-log.ts';
import { BATCH, type ChainKind, highestListed, readChain, readChainOn, readEntry } from './read-chain.ts';

function logOf(account_id: bigint, signing?: Signing): ChainKind<PublishLog> {
  return {
    empty: emptyLog(account_id, signing),
    prefix: logPrefix(account_id),
    keyOf: (seq) => logKey(account_id, seq),
    seqOf: (key) => seqOfLogKey(account_id, key),
    lengthOf: ({ entries }) => entries.length,
    follow,
    missing: (seq) => brokenLog(account_id, seq, 'is missing'),
  };
}

/** Reads the whole log and checks every entry against the one before. */
export async function readLog(store: StoreReader, account_id: bigint): Promise<PublishLog> {
  return await withUnread(store, await readChain(store, logOf(account_id, store.signing)));
}

/**
 * Adds the entries published since `known` was read; one store call if there are none. If the keys have changed since, the
 * whole log is read again, because its entries were checked with the earlier keys.
 */
export async function readOn(store: StoreReader, known: PublishLog): Promise<PublishLog> {
  if (known.signing !== (store.signing ?? null)) return await readLog(store, known.account_id);
  return await withUnread(store, await readChainOn(store, logOf(known.account_id), known));
}

/** Notes what a broken log has from its first refused entry on. */
async function withUnread(store: StoreReader, log: PublishLog): Promise<PublishLog> {
  if (log.fault === null) return log;
  const { account_id, entries } = log;
  const listed = await highestListed(store, logOf(account_id));
  const unread: (string | null)[] = [];
  while (entries.length + unread.length < listed) {
    const from = entries.length + unread.length + 1;
    const seqs = Array.from({ length: Math.min(BATCH, listed - from + 1) }, (_, index) => from + index);
    const bodies = await Promise.all(seqs.map((seq) => readEntry(store, logKey(account_id, seq))));
    unread.push(
      ...bodies.map((body) => (body === null || decodeEntry(body) === null ? null : sha256Hex(body))),
    );
  }
  return { ...log, unread };
}

/** The last listed entry, not checked against earlier ones: for messages only, never to serve a snapshot. */
export async function glanceAtHead(store: StoreReader, account_id: bigint): Promise<LogEntry | null> {
  const listed = await highestListed(store, logOf(account_id));
  const body = listed === 0 ? null : await readEntry(store, logKey(account_id, listed));
  return body === null ? null : decodeEntry(body);
}
