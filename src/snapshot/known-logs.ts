/** The publish logs a server has read, each at most a few seconds old. */
import { LRUCache } from 'lru-cache';
import type { CrossfootError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { PublishLog } from './publish-log.ts';
import { readLog, readOn } from './read-log.ts';

/** How long a published snapshot may stay unseen; a token burst in between costs no store call. */
const FRESH_MICROSECONDS = 5_000_000n;
/** A log of ten years is 1.5 MB in memory; accounts beyond these are read again when asked for. */
const MOST_ACCOUNTS = 1_000;

interface Tools {
  readonly store: Store;
  readonly now: () => bigint;
  /** Called when a log is found broken, once for each place it breaks at. */
  readonly onFault: (fault: CrossfootError) => void;
}

/** Gives the log of an account: from memory while fresh, else read on from where it ended. */
export function knownLogs({ store, now, onFault }: Tools): (account_id: bigint) => Promise<PublishLog> {
  const known = new LRUCache<bigint, { log: PublishLog; read_at: bigint }>({ max: MOST_ACCOUNTS });
  const reading = new Map<bigint, Promise<PublishLog>>();

  async function read(account_id: bigint): Promise<PublishLog> {
    const before = known.get(account_id)?.log;
    // Taken before the call: what is published while it runs may be missing from the answer.
    const read_at = now();
    const log = await (before === undefined ? readLog(store, account_id) : readOn(store, before));
    known.set(account_id, { log, read_at });
    if (log.fault !== null && log.fault.message !== before?.fault?.message) onFault(log.fault);
    return log;
  }

  return async (account_id) => {
    const last = known.get(account_id);
    const age = last === undefined ? null : now() - last.read_at;
    // A clock set back makes the age negative: then nothing is known about it.
    if (last !== undefined && age !== null && age >= 0n && age < FRESH_MICROSECONDS) return last.log;
    const running = reading.get(account_id);
    if (running !== undefined) return await running;
    const started = read(account_id).finally(() => reading.delete(account_id));
    reading.set(account_id, started);
    return await started;
  };
}
