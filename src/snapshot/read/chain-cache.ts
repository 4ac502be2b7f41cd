/** Caches the publish logs or the marks of accounts. None is older than its caller allows: seconds for logs, a minute for marks. */
import type { CrossfootError } from '../../errors.ts';
import { Cache } from '../../cache.ts';
import type { Instant } from '../../instant.ts';

interface ChainSource<Read> {
  /** The size of the cache, and of a chain in it. The least recently used chain is evicted. */
  readonly max_bytes: number;
  readonly bytesOf: (chain: Read) => number;
  readonly now: () => Instant;
  /** How old a cached chain may be. Requests within this time need no store call. */
  readonly fresh_microseconds: bigint;
  readonly read: (account_id: bigint) => Promise<Read>;
  /** Reads only the entries after those of `known`. */
  readonly readOn: (known: Read) => Promise<Read>;
  /** Called when a read finds a broken chain; not again while it is broken at the same entry. */
  readonly onFault: (fault: CrossfootError) => void;
}

/**
 * Makes a function that returns the chain of an account. If the cached chain is older than the maximum age, the entries added
 * since are read first. A call may set another maximum age than `source`.
 */
export function chainCache<Read extends { readonly fault: CrossfootError | null }>(
  source: ChainSource<Read>,
): (account_id: bigint, fresh_microseconds?: bigint) => Promise<Read> {
  const { max_bytes, bytesOf, now } = source;
  const cache = new Cache<bigint, Read>({ max_bytes, bytesOf, clock: () => Number(now()) });

  async function read(account_id: bigint, before: Read | undefined): Promise<Read> {
    const chain = await (before === undefined ? source.read(account_id) : source.readOn(before));
    if (chain.fault !== null && chain.fault.data['seq'] !== before?.fault?.data['seq'])
      source.onFault(chain.fault);
    return chain;
  }

  return (account_id, fresh_microseconds = source.fresh_microseconds) =>
    cache.get(account_id, (before) => read(account_id, before), Number(fresh_microseconds));
}

/** Adds the account of a chain to a set, or removes it. */
export function noted<Chain extends { readonly account_id: bigint }>(
  set: Set<bigint>,
  isIn: boolean,
  chain: Chain,
) {
  set[isIn ? 'add' : 'delete'](chain.account_id);
  return chain;
}
