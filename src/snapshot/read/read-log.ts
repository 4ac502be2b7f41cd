/** Reading the publish log from a store. */
import type { Signing } from '../../signing/keys.ts';
import type { StoreReader } from '../../store/store.ts';
import { logKey, logPrefix, seqOfLogKey } from '../format/keys.ts';
import {
  brokenLog,
  decodeEntry,
  emptyLog,
  follow,
  type LogEntry,
  type PublishLog,
} from '../format/publish-log.ts';
import { type ChainKind, highestListed, readChain, readChainOn, readEntry } from './read-chain.ts';

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
  return await readChain(store, logOf(account_id, store.signing));
}

/**
 * Adds the entries published since `known` was read; one store call if there are none. If the keys have changed since, the
 * whole log is read again, because its entries were checked with the earlier keys.
 */
export async function readOn(store: StoreReader, known: PublishLog): Promise<PublishLog> {
  if (known.signing !== (store.signing ?? null)) return await readLog(store, known.account_id);
  return await readChainOn(store, logOf(known.account_id), known);
}

/** The last listed entry, not checked against earlier ones: for messages only, never to serve a snapshot. */
export async function glanceAtHead(store: StoreReader, account_id: bigint): Promise<LogEntry | null> {
  const listed = await highestListed(store, logOf(account_id));
  const body = listed === 0 ? null : await readEntry(store, logKey(account_id, listed));
  return body === null ? null : decodeEntry(body);
}
