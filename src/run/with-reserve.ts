/** Runs work that frees disk space, even on a full disk: a folder store holds a reserve of space for that. */
import { giveUpReserve, keepReserve } from '../store/reserve.ts';
import { type ObjectStoreSettings, reserveFolder } from './object-store.ts';

/** Runs `free`; on a full disk it first releases the folder store's reserve, and restores the reserve afterwards. */
export async function withReserve<Result>(
  settings: Pick<ObjectStoreSettings, 'objectStore'>,
  free: () => Promise<Result>,
): Promise<Result> {
  const folder = reserveFolder(settings);
  if (folder === null) return await free();
  const givenUp = await giveUpReserve(folder);
  try {
    return await free();
  } finally {
    await keepReserve(folder, givenUp);
  }
}
