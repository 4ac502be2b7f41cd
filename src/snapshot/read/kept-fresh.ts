/** What a server has read of the accounts it was asked about, each at most a few seconds old. */
import type { CrossfootError } from '../../errors.ts';
import { Cache } from '../../cache.ts';

/** A chain of ten years is 1.5 MB in memory; accounts beyond these are read again when asked for. */
const MAX_ACCOUNTS = 1_000;

interface Kept<Read> {
  readonly now: () => bigint;
  /** How long what was added may stay unseen; a burst of requests in between costs no store call. */
  readonly fresh_microseconds: bigint;
  readonly read: (account_id: bigint) => Promise<Read>;
  readonly readOn: (known: Read) => Promise<Read>;
  /** Called when a chain is found broken, once for each place it breaks at. */
  readonly onFault: (fault: CrossfootError) => void;
}

/** Gives the chain of an account: from memory while fresh, else read on from where it ended. A call may demand a fresher one. */
export function keptFresh<Read extends { readonly fault: CrossfootError | null }>(
  kept: Kept<Read>,
): (account_id: bigint, fresh_microseconds?: bigint) => Promise<Read> {
  const cache = new Cache<bigint, Read>({ max_entries: MAX_ACCOUNTS, clock: () => Number(kept.now()) });

  async function read(account_id: bigint, before: Read | undefined): Promise<Read> {
    const chain = await (before === undefined ? kept.read(account_id) : kept.readOn(before));
    if (chain.fault !== null && chain.fault.data['seq'] !== before?.fault?.data['seq'])
      kept.onFault(chain.fault);
    return chain;
  }

  return (account_id, fresh_microseconds = kept.fresh_microseconds) =>
    cache.get(account_id, (before) => read(account_id, before), Number(fresh_microseconds));
}
