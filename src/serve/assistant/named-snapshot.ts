/** The snapshot that a call names, by its id, as `latest` or by the name of a pin; and the pages that its files name. */
import { CrossfootError } from '../../errors.ts';
import type { ReadableSnapshot } from '../../snapshot/format/served-manifest.ts';
import type { SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { frozenRows, type SnapshotFiles } from '../live/snapshot-files.ts';

/** The account whose snapshots are read. */
export interface SnapshotCaller {
  readonly account_id: bigint;
  readonly reporting_enabled: boolean;
}

const NEXT_STEP = 'list_snapshots shows which can be named.';
// The words of the API, whose hint is a person's next step and not a tool's.
const SWITCHED_OFF =
  'Reporting tables are switched off; an Owner or Admin turns them on in the organization settings.';

/** The readable snapshots of the account, newest first; throws while reporting is switched off. */
export async function readableSnapshots(
  snapshots: SnapshotReader,
  { account_id, reporting_enabled }: SnapshotCaller,
): Promise<readonly ReadableSnapshot[]> {
  if (!reporting_enabled) throw new CrossfootError('not_found', SWITCHED_OFF);
  return await snapshots.list(account_id);
}

/** The newest of `listed` with that id or pin name. */
export function namedSnapshot(listed: readonly ReadableSnapshot[], wanted: string): ReadableSnapshot {
  const found = listed.find(
    ({ snapshot_id, pins }, index) =>
      snapshot_id === wanted ||
      (wanted === 'latest' && index === 0) ||
      pins.some(({ name }) => name === wanted),
  );
  if (found === undefined) {
    throw new CrossfootError('not_found', `No readable snapshot has that id or pin name; ${NEXT_STEP}`);
  }
  return found;
}

/** The page of each initiative in any of the snapshots. */
export async function initiativePages(
  snapshots: readonly SnapshotFiles[],
): Promise<ReadonlyMap<number, string>> {
  const pages = new Map<number, string>();
  for (const { table } of snapshots) {
    for await (const row of frozenRows(await table('initiatives'), ['initiative_id', 'app_url'])) {
      pages.set(Number(row['initiative_id']), String(row['app_url']));
    }
  }
  return pages;
}

/** The page of the portfolio, beside those of initiatives; null without an initiative. */
export function portfolioPage(pages: ReadonlyMap<number, string>): string | null {
  for (const [id, page] of pages) {
    const own = `/initiatives/${id}`;
    if (page.endsWith(own)) return `${page.slice(0, -own.length)}/roi`;
  }
  return null;
}
