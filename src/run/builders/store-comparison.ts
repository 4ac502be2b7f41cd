/** The comparison of a snapshot just published with the one before, made by its build and stored for all readers. */
import { join } from 'node:path';
import { storeComparison } from '../../diff/store-comparison.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { Built } from '../../snapshot/builder/build.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import { stoppablePace, stoppableStore } from '../../store/stoppable.ts';
import type { Store } from '../../store/store.ts';
import { openCompareTools } from '../server/diffs.ts';
import { PACE } from '../surroundings.ts';

/** Less than any night may take. */
const MAX_MS = 10 * 60_000;
/** What the audit of a build has: a build then needs no more memory than before. */
const MEMORY = '160MB';

export interface ComparedBuild {
  readonly account_id: bigint;
  readonly built: Built;
  readonly store: Store;
  readonly spoolRoot: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Never throws and never fails a build: a comparison that is not stored is logged, and made when somebody asks. */
export async function compareWithBefore(compared: ComparedBuild): Promise<void> {
  const { account_id, built, logger } = compared;
  const began = PACE.now();
  const fields = { account: account_id, snapshot: built.snapshot_id };
  try {
    const stored = await compare(compared);
    if (stored === null) return;
    const ms = Number((PACE.now() - began) / 1000n);
    const rows = stored.tables.reduce(
      (sum, { added, removed, changed }) => sum + added + removed + changed,
      0,
    );
    logger.debug('comparison.stored', { ...fields, rows, bytes: stored.size_bytes, ms });
  } catch (error) {
    logger.warn('comparison.unstored', { ...fields, ...errorFields(error) });
  }
}

async function compare({ account_id, built, spoolRoot, ...given }: ComparedBuild) {
  if (built.outcome !== 'published') return null;
  const signal = AbortSignal.any([given.signal, AbortSignal.timeout(MAX_MS)]);
  const store = stoppableStore(given.store, signal);
  const snapshots = createReader({ store, now: PACE.now, onFault: () => undefined });
  const { entries } = await snapshots.logOf(account_id);
  const before = entries[built.seq - 2];
  if (before === undefined) return null;
  const earlier = await snapshots.pinned(account_id, before.snapshot_id);
  const later = await snapshots.pinned(account_id, built.snapshot_id);
  if (earlier === null || later === null) return null;
  const root = join(spoolRoot, String(account_id));
  const tools = await openCompareTools({ snapshots, root, memoryLimit: MEMORY, signal });
  const pace = stoppablePace(PACE, signal);
  return await storeComparison({ account_id, earlier, later }, { ...tools, store, log: snapshots, pace });
}
