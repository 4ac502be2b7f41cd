/** Draws the lines of a long page in steps, so that other requests are answered meanwhile. */
import { setImmediate } from 'node:timers/promises';
import { raw } from 'hono/html';
import type { Html } from '../frame/site-layout.ts';

/** The time between two turns of other work. The first lines of a page take ten times as long as later ones. */
const STEP_MS = 4;

/** The items as HTML, one after the other. */
export async function inSteps<Item>(
  items: readonly Item[],
  draw: (item: Item) => Html,
): Promise<Awaited<Html>> {
  let drawn = '';
  let began = performance.now();
  for (const item of items) {
    drawn += String(await draw(item));
    if (performance.now() - began < STEP_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return raw(drawn);
}
