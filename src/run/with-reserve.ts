/** Running what frees space, also on a full disk. */
import { giveUpReserve, keepReserve } from '../store/reserve.ts';
import { type ObjectStoreSettings, reserveFolder } from './object-store.ts';

/** Runs `free` with the folder store's reserve given up if the disk is full, and makes the reserve again. */
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
