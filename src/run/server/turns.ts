/** When a long read gives way to other requests. */
import { setImmediate } from 'node:timers/promises';

/** How long the steps of a read may take together, before other requests are answered. */
const STEP_MS = 3;

/**
 * Makes the function that a read calls after each of its steps. It returns at once while the steps are short together: a turn
 * for each of a thousand steps would cost as many answers to others.
 */
export function openTurns(
  clock = (): number => performance.now(),
  giveWay: () => Promise<void> = () => setImmediate(),
): () => Promise<void> {
  let last_ms = clock();
  return async () => {
    if (clock() - last_ms < STEP_MS) return;
    await giveWay();
    last_ms = clock();
  };
}
