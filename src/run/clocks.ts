/** Reads the clocks of the database, the store and this machine. */
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
