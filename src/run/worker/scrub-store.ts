/** Scrubs the store of the settings. */
import { randomUUID } from 'node:crypto';
import { scrub, type ScrubJob, type Scrubbed, type ScrubTools } from '../../snapshot/keep/scrub.ts';
import { readStoreClock } from '../../store/clock.ts';
import { type ObjectStoreSettings, openObjectStore } from '../object-store.ts';
import { IDENTITY, CLOCK } from '../machine.ts';
import { withReserve } from '../with-reserve.ts';

export type StoreScrubJob = ScrubJob &
  Pick<
    ScrubTools,
    'onDue' | 'onDamage' | 'onRestored' | 'onStrange' | 'onUnknownKey' | 'onDamagedComparison' | 'onFault'
  > & {
    readonly settings: ObjectStoreSettings;
  };

/** Reads the due snapshots, over its own connections. */
export async function scrubStore({ settings, ...job }: StoreScrubJob): Promise<Scrubbed> {
  const openStore = (): ReturnType<typeof openObjectStore> => openObjectStore(settings);
  // A scrub records what it read, even on a full disk.
  return await withReserve(settings, async () => {
    const now = await readStoreClock(await openStore(), randomUUID);
    return await scrub(job, { ...job, ...IDENTITY, openStore, clock: CLOCK, now });
  });
}
