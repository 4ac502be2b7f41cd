/** Sets the close pins of a snapshot just published, and reports them as events of its build. */
import { isCrossfootError } from '../../errors.ts';
import type { MarkTools } from '../keep/append-mark.ts';
import type { BuildEvent } from './events.ts';
import { pinCloses, type SnapshotOfCloses } from './close-pins.ts';

interface PinTools extends MarkTools {
  readonly onEvent: (event: BuildEvent) => void;
}

/**
 * Sets the pins. A pin that cannot be set does not fail the build, because the snapshot is published; the next build sets the
 * pin.
 */
export async function pinPublished(published: SnapshotOfCloses, tools: PinTools): Promise<void> {
  const { snapshot_id: snapshot } = published;
  try {
    for (const name of await pinCloses(published, tools)) {
      tools.onEvent({ kind: 'snapshot.pinned', snapshot, name });
    }
  } catch (error) {
    if (!isCrossfootError(error)) throw error;
    tools.onEvent({ kind: 'pin.delayed', snapshot, why: error.message });
  }
}
