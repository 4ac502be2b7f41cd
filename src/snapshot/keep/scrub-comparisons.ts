/** Reads the stored comparisons of one snapshot again. A damaged one is reported: readers compare the snapshots anew. */
import { isCrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import { changesKey, comparisonKey } from '../format/keys.ts';
import type { PublishedPair } from '../format/comparison.ts';
import { prefixOfPair, readChangedRows, readComparison } from '../read/read-comparison.ts';
import type { DueSnapshot } from './scrub-plan.ts';
import { meter, type SnapshotScrubTools, TRIES } from './scrub-snapshot.ts';

/** Reads each comparison to its last byte, reports damage, and returns how many bytes were read. */
export async function scrubComparisons(snapshot: DueSnapshot, tools: SnapshotScrubTools): Promise<number> {
  const { store, openStore, clock } = tools;
  const { onRead, bytes } = meter(clock);
  for (const { pair, keys } of snapshot.comparisons) {
    const prefix = prefixOfPair(pair);
    for (const key of keys) {
      if (key === comparisonKey(prefix) || key === changesKey(prefix)) continue;
      tools.onStrange(snapshot, key);
    }
    let damaged = await isDamaged(pair, { store, clock, onRead });
    for (let tries = 1; damaged && tries < TRIES; tries += 1) {
      damaged = await isDamaged(pair, { store: await openStore(), clock, onRead });
    }
    if (damaged) tools.onDamagedComparison(snapshot, prefix);
  }
  return bytes();
}

interface ReadTools {
  readonly store: StoreReader;
  readonly clock: Clock;
  readonly onRead: (bytes: number) => Promise<void>;
}

/** False too for a comparison without a record: its build ended early, or prune deletes it now. */
async function isDamaged(pair: PublishedPair, { store, clock, onRead }: ReadTools): Promise<boolean> {
  try {
    const record = await untilAnswered(clock, () => readComparison(store, pair));
    if (record === null) return false;
    await untilAnswered(clock, () => readChangedRows(store, pair, record, async () => undefined));
    await onRead(record.size_bytes);
    const stored = await untilAnswered(clock, () => store.stat(changesKey(prefixOfPair(pair))));
    return stored?.size !== record.size_bytes;
  } catch (error) {
    if (isCrossfootError(error, 'file_corrupt')) return true;
    throw error;
  }
}
