/** Scrubbing the store that the settings name. */
import { randomUUID } from 'node:crypto';
import { scrub, type ScrubJob, type Scrubbed, type ScrubTools } from '../../snapshot/keep/scrub.ts';
import { readStoreClock } from '../../store/clock.ts';
import { type ObjectStoreSettings, openObjectStore } from '../object-store.ts';
import { MARKING, PACE } from '../surroundings.ts';
import { withReserve } from '../with-reserve.ts';

export type StoreScrubJob = ScrubJob &
  Pick<ScrubTools, 'onDue' | 'onDamage' | 'onRestored' | 'onStrange' | 'onFault'> & {
    readonly settings: ObjectStoreSettings;
  };

/** Reads what is due, over connections of its own. */
export async function scrubStore({ settings, ...job }: StoreScrubJob): Promise<Scrubbed> {
  const openStore = (): ReturnType<typeof openObjectStore> => openObjectStore(settings);
  // A scrub writes down what it read, also on a full disk.
  return await withReserve(settings, async () => {
    const now = await readStoreClock(await openStore(), randomUUID);
    return await scrub(job, { ...job, ...MARKING, openStore, pace: PACE, now });
  });
}
