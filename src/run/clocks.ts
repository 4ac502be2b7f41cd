/** Reads the clocks of the database, the store and this machine, and follows the clock of the database. */
import { randomUUID } from 'node:crypto';
import { isCrossfootError } from '../errors.ts';
import { type Clocks, readClocks } from '../clock-offsets.ts';
import { readStoreClock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';
import { type ObjectStoreSettings, openUntested } from './object-store.ts';
import { CLOCK } from './machine.ts';
import type { Instant } from '../instant.ts';

/** Returns a function that reads all three. If the store does not answer, its clock is null: builds can still be queued. */
export function clockReader(
  settings: Pick<ObjectStoreSettings, 'bucket' | 'objectStore'>,
  readDatabaseClock: () => Promise<Instant>,
): () => Promise<Clocks> {
  let store: Promise<Store> | undefined;
  const readStore = async (): Promise<bigint | null> => {
    try {
      store ??= openUntested(settings);
      return await readStoreClock(await store, randomUUID);
    } catch (error) {
      store = undefined;
      if (isCrossfootError(error)) return null;
      throw error;
    }
  };
  return () => readClocks({ readDatabaseClock, readStoreClock: readStore, readOwnClock: CLOCK.now });
}

/** The interval of the readings: after this time a changed clock is noticed. */
const FOLLOW_MS = 60_000;

export interface FollowTools {
  readonly readDatabaseClock: () => Promise<Instant>;
  /** The clock of this machine. */
  readonly now: () => Instant;
  /** Rejects at once when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface FollowedClock {
  /** The database's clock, without a query. */
  readonly now: () => Instant;
  /** Stops the readings. */
  close(): Promise<void>;
}

/** Reads the difference now and every minute; while the database does not answer, the last difference is used. */
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
  follow().catch(() => undefined); // ends only by the signal
  // Do not wait for a running read: a database that hangs must not delay the end of the server.
  return { now: () => now() + offset, close: async () => closing.abort() };
}
