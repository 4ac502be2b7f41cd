/** Reads stored snapshots of the object store again, to find damage: a scrub of the store that the settings name. */
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

/** Reads the snapshots that are due, over connections that only this scrub uses. */
export async function scrubStore({ settings, ...job }: StoreScrubJob): Promise<Scrubbed> {
  const openStore = (): ReturnType<typeof openObjectStore> => openObjectStore(settings);
  // A scrub must record what it read, so on a full disk it may use the reserve of the store.
  return await withReserve(settings, async () => {
    const now = await readStoreClock(await openStore(), randomUUID);
    return await scrub(job, { ...job, ...IDENTITY, openStore, clock: CLOCK, now });
  });
}
