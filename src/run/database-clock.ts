/** The database's clock at hand: this machine's, corrected by the difference that was read last. */
import { readClocks } from '../clock-offsets.ts';

/** How long a clock that was set wrong, or right again, goes unnoticed. */
const FOLLOW_MS = 60_000;

export interface FollowTools {
  readonly readDatabaseClock: () => Promise<bigint>;
  /** Microseconds since 1970 by this machine. */
  readonly now: () => bigint;
  /** Rejects at once when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface FollowedClock {
  /** Microseconds since 1970 by the database, without asking it. */
  readonly now: () => bigint;
  /** Ends the reading. */
  close(): Promise<void>;
}

/** Reads the difference now and then every minute; while the database does not answer, the last difference stands. */
export async function followDatabaseClock({
  readDatabaseClock,
  now,
  sleep,
}: FollowTools): Promise<FollowedClock> {
  const readOffset = async (): Promise<bigint> => {
    const tools = { readDatabaseClock, readStoreClock: async () => null, readOwnClock: now };
    return (await readClocks(tools)).database_offset;
  };
  let offset = await readOffset();
  const closing = new AbortController();
  async function follow(): Promise<never> {
    for (;;) {
      await sleep(FOLLOW_MS, closing.signal);
      offset = await readOffset().catch(() => offset);
    }
  }
  follow().catch(() => undefined); // ends by the signal alone
  // A reading under way is not waited for: a database that hangs must not hold up the end of the server.
  return { now: () => now() + offset, close: async () => closing.abort() };
}
