/** What a command needs to mark a published snapshot, such as to pin or retract it: the store, and the store's clock. */
import { randomUUID } from 'node:crypto';
import type { MarkTools } from '../../snapshot/keep/append-mark.ts';
import { readStoreClock } from '../../store/clock.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { openObjectStore } from '../../run/object-store.ts';
import { IDENTITY, CLOCK } from '../../run/machine.ts';
import type { Instant } from '../../instant.ts';

export interface Marking {
  readonly tools: MarkTools;
  /** Who makes the mark. */
  readonly by: string;
  /** By the store's clock: all machines share this clock, and it needs no database. */
  readonly now: Instant;
}

/** Opens the store of the settings to write marks. */
export async function openMarking(context: CommandContext): Promise<Marking> {
  const { settings } = openSettings(context);
  const store = await openObjectStore(settings);
  const { by, newNonce } = IDENTITY;
  return { tools: { store, clock: CLOCK, newNonce }, by, now: await readStoreClock(store, randomUUID) };
}
