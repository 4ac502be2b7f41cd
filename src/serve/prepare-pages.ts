/** Reads what the pages of an account read first, before a person opens them: the person then waits for no file. */
import { storedTableNamed } from '../snapshot/format/manifest.ts';
import { snapshotFiles } from './live/snapshot-files.ts';
import { oneBefore } from './pages/snapshot-page.ts';
import type { CachedRows } from './rows/cached-rows.ts';
import type { Comparisons } from './money/budget-lines.ts';
import type { Initiatives } from './money/initiative.ts';
import { overviewBody } from './money/overview-page.ts';
import type { Overviews } from './money/overview.ts';
import { rankInitiatives } from './money/ranking.ts';
import type { ReportingParts } from './reporting/chosen-snapshot.ts';

interface Parts {
  readonly snapshots: ReportingParts['snapshots'];
  readonly overviews: Overviews;
  readonly initiatives: Initiatives;
  readonly comparisons: Comparisons;
  readonly cachedRows: CachedRows;
}

/** Reads the newest snapshot of an account into the caches of pages; nothing if there is none. */
export type PreparePages = (account_id: bigint) => Promise<void>;

/** The tables of entries, whose rows people open most. */
const ENTRIES = ['costs', 'reported_value'] as const;

/** One page after the other, each with the caches of the page itself: what is read here is not read again. */
export function preparePages(parts: Parts): PreparePages {
  const { snapshots, overviews, initiatives, comparisons, cachedRows } = parts;
  return async (account_id) => {
    const listed = await snapshots.list(account_id);
    const [snapshot] = listed;
    if (snapshot === undefined) return;
    const before = oneBefore(snapshot.snapshot_id, listed) ?? null;
    const asked = [account_id, snapshot, before, () => undefined] as const;
    const overview = await overviews.read(...asked);
    // The page itself, too: its code runs for the first time, and the months of the first initiatives are read.
    await overviewBody({ account_id, overview, by: 'net', window: 'all' });
    const files = snapshotFiles(snapshots, account_id, snapshot);
    await comparisons(files);
    const [first] = rankInitiatives(overview, 'all', 'net');
    if (first !== undefined) {
      await overviews.ofInitiative(first.id, ...asked);
      await initiatives(files, first.id);
    }
    for (const name of ENTRIES) {
      const sha256 = storedTableNamed(snapshot, name)?.sha256 ?? '';
      await cachedRows.prepare(account_id, { name, rows: await files.table(name), sha256 });
    }
  };
}
