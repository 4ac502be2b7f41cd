/** What a server has read of the accounts it was asked about, each at most a few seconds old. */
import type { CrossfootError } from '../../errors.ts';
import { boundedMap } from '../../cache.ts';

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
  const { now, onFault } = kept;
  const known = boundedMap<bigint, { chain: Read; read_at: bigint }>(MAX_ACCOUNTS);
  const reading = new Map<bigint, Promise<Read>>();

  async function read(account_id: bigint): Promise<Read> {
    const before = known.get(account_id)?.chain;
    // Taken before the call: what is added while it runs may be missing from the answer.
    const read_at = now();
    const chain = await (before === undefined ? kept.read(account_id) : kept.readOn(before));
    known.set(account_id, { chain, read_at });
    if (chain.fault !== null && chain.fault.message !== before?.fault?.message) onFault(chain.fault);
    return chain;
  }

  return async (account_id, fresh_microseconds = kept.fresh_microseconds) => {
    const last = known.get(account_id);
    const age = last === undefined ? null : now() - last.read_at;
    // A clock set back makes the age negative: then nothing is known about it.
    if (last !== undefined && age !== null && age >= 0n && age < fresh_microseconds) return last.chain;
    const running = reading.get(account_id);
    if (running !== undefined) return await running;
    const started = read(account_id).finally(() => reading.delete(account_id));
    reading.set(account_id, started);
    return await started;
  };
}
