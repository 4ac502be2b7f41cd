/** Reading the marks of an account from a store. */
import type { Signing } from '../../signing/keys.ts';
import type { StoreReader } from '../../store/store.ts';
import { markKey, marksPrefix, seqOfMarkKey } from '../format/keys.ts';
import { brokenMarks, followMarks, type Marks, noMarks } from '../format/marks.ts';
import { type ChainKind, readChain, readChainOn } from './read-chain.ts';

function marksOf(account_id: bigint, signing?: Signing): ChainKind<Marks> {
  return {
    empty: noMarks(account_id, signing),
    prefix: marksPrefix(account_id),
    keyOf: (seq) => markKey(account_id, seq),
    seqOf: (key) => seqOfMarkKey(account_id, key),
    lengthOf: ({ length }) => length,
    follow: followMarks,
    missing: (seq) => brokenMarks(account_id, seq, 'is missing'),
  };
}

/** Reads all marks and checks each against the one before. */
export async function readMarks(store: StoreReader, account_id: bigint): Promise<Marks> {
  return await readChain(store, marksOf(account_id, store.signing));
}

/** Adds the marks written since `known` was read, as `readOn` does for the log. */
export async function readMarksOn(store: StoreReader, known: Marks): Promise<Marks> {
  if (known.signing !== (store.signing ?? null)) return await readMarks(store, known.account_id);
  return await readChainOn(store, marksOf(known.account_id), known);
}
