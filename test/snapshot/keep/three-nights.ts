/** A store with the snapshots of three nights, 1 to 3 March 2026; the clock then shows one o'clock of the third. */
import { clockedStore } from '../../store/clocked-store.ts';
import { aBuild, DAY, HOUR, MIDNIGHT, publishNow } from '../builder/build-harness.ts';

export async function openThreeNights() {
  const clock = { now: MIDNIGHT };
  const store = clockedStore(clock);
  for (const day of [0n, 1n, 2n]) await publishNow(store, aBuild(`day ${day}`, MIDNIGHT + day * DAY));
  clock.now = MIDNIGHT + 2n * DAY + HOUR;
  return { clock, store };
}
