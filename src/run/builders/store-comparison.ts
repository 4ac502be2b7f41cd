/** The comparison of a snapshot just published with the one before, made by its build and stored for all readers. */
import { join } from 'node:path';
import { storeComparison } from '../../diff/store-comparison.ts';
import { errorFields, type Logger } from '../../log.ts';
import type { JustPublished } from '../../snapshot/builder/just-published.ts';
import { createReader } from '../../snapshot/read/reader.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { asAnnounced } from '../../store/s3-body.ts';
import { stoppableClock, stoppableStore } from '../../store/stoppable.ts';
import type { Store } from '../../store/store.ts';
import { openCompareTools } from '../server/diffs.ts';
import { CLOCK } from '../machine.ts';
import { toMs } from '../../instant.ts';

/** Less than any night may take. */
const MAX_COMPARISON_MS = 10 * 60_000;
/** What the audit of a build has: a build then needs no more memory than before. */
const MEMORY = '160MB';

export interface ComparedBuild {
  readonly account_id: bigint;
  readonly published: JustPublished;
  readonly store: Store;
  readonly spoolRoot: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Never throws and never fails a build: a comparison that is not stored is logged, and made when somebody asks. */
export async function compareWithBefore(compared: ComparedBuild): Promise<void> {
  const { account_id, published, logger } = compared;
  const began = CLOCK.now();
  const fields = { account: account_id, snapshot: published.snapshot_id };
  try {
    const stored = await compare(compared);
    if (stored === null) return;
    const ms = toMs(CLOCK.now() - began);
    const rows = stored.tables.reduce(
      (sum, { added, removed, changed }) => sum + added + removed + changed,
      0,
    );
    logger.debug('comparison.stored', { ...fields, rows, bytes: stored.size_bytes, ms });
  } catch (error) {
    logger.warn('comparison.unstored', { ...fields, ...errorFields(error) });
  }
}

async function compare({ account_id, published, spoolRoot, ...given }: ComparedBuild) {
  const { log, seq, snapshot_id } = published;
  const before = log.entries[seq - 2];
  if (before === undefined) return null;
  const signal = AbortSignal.any([given.signal, AbortSignal.timeout(MAX_COMPARISON_MS)]);
  const store = stoppableStore(given.store, signal);
  const reader = createReader({
    store: withManifests(store, published),
    now: CLOCK.now,
    onFault: () => undefined,
    readFirst: async () => log,
  });
  const snapshots = { ...reader, openTable: openerOf(reader, published) };
  const earlier = await snapshots.pinned(account_id, before.snapshot_id);
  const later = await snapshots.pinned(account_id, snapshot_id);
  if (earlier === null || later === null) return null;
  const root = join(spoolRoot, String(account_id));
  const tools = await openCompareTools({ snapshots, root, memoryLimit: MEMORY, signal });
  const clock = stoppableClock(CLOCK, signal);
  return await storeComparison({ account_id, earlier, later }, { ...tools, store, log: snapshots, clock });
}

/** The same store; the manifests that the build has read from it are not read again. */
function withManifests(store: Store, { manifests }: JustPublished): Store {
  return {
    ...store,
    readSmall: async (key, cap_bytes) => manifests.get(key) ?? (await store.readSmall(key, cap_bytes)),
  };
}

/** Opens the tables of the new snapshot in the spool of its build, each byte checked as in the store. */
function openerOf(reader: SnapshotReader, published: JustPublished): SnapshotReader['openTable'] {
  return async (account_id, snapshot_id, name) => {
    const spooled = published.tables.find((table) => table.name === name);
    if (snapshot_id !== published.snapshot_id || spooled === undefined)
      return await reader.openTable(account_id, snapshot_id, name);
    return ReadableStream.from(asAnnounced(spooled.content)) as ReadableStream<Uint8Array<ArrayBuffer>>;
  };
}
