/** Prepares pages in a running server, at intervals: of the accounts that people look at, and of the account that was used last. */
import type { Pool } from 'pg';
import { errorFields, type Logger } from '../../log.ts';
import { readLastUsed } from '../../ops/token-uses.ts';
import type { PreparePages } from '../../serve/prepare-pages.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { watchLooks } from './looked-at.ts';

/** A start is over by then: what is prepared does not delay it. */
const FIRST_MS = 2_000;
/** How often the newest snapshots are looked up: one call of the store for each account. */
const INTERVAL_MS = 10_000;

interface Parts {
  readonly snapshots: Pick<SnapshotReader, 'latest'>;
  readonly prepare: PreparePages;
  readonly service: Pool;
  readonly logger: Logger;
}

interface PreparedPages extends Disposable {
  /** A person looked at a page of the account. */
  readonly note: (account_id: bigint) => void;
}

export function openPreparedPages({ snapshots, prepare, service, logger }: Parts): PreparedPages {
  const newestOf = async (account_id: bigint): Promise<string | null> =>
    (await snapshots.latest(account_id))?.snapshot_id ?? null;
  const onUnprepared = (account: bigint, error: unknown): void =>
    logger.warn('pages.unprepared', { account, ...errorFields(error) });
  const looked = watchLooks({ newestOf, prepare, onUnprepared });
  async function prepareFirst(): Promise<void> {
    // Without it, only the first person waits longer.
    const account_id = await readLastUsed(service).catch(() => null);
    if (account_id !== null) looked.note(account_id);
    await looked.prepare();
  }
  const first = setTimeout(() => void prepareFirst(), FIRST_MS);
  const next = setInterval(() => void looked.prepare(), INTERVAL_MS);
  return {
    note: looked.note,
    [Symbol.dispose]: () => {
      clearTimeout(first);
      clearInterval(next);
      looked.stop();
    },
  };
}
